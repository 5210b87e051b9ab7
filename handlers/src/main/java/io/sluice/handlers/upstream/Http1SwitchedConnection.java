package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A connection after a 101. Bytes that arrive before there is a receiver are kept, and no more is read. */
final class Http1SwitchedConnection extends ChannelInboundHandlerAdapter implements SwitchedConnection {
    private ChannelHandlerContext ctx;
    private final ArrayDeque<ByteBuf> early = new ArrayDeque<>(1);
    private @Nullable Receiver receiver;
    private boolean inputClosed;
    private boolean closed;
    private boolean broken;

    Http1SwitchedConnection() {
    }

    /** Takes the place of a connection in its pipeline. The decoder passes all further bytes on. */
    static Http1SwitchedConnection replace(Http1Connection connection, ChannelHandlerContext ctx,
                                           Http1ResponseDecoder decoder) {
        var switched = new Http1SwitchedConnection();
        ctx.channel().config().setAutoRead(false);
        ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        ctx.pipeline().addAfter(ctx.name(), null, switched);
        ctx.pipeline().remove(connection);
        ctx.executor().execute(() -> ctx.pipeline().remove(decoder));
        return switched;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public void receive(Receiver to) {
        receiver = to;
        ctx.channel().config().setAutoRead(true); // before the receiver pauses
        while (!early.isEmpty()) {
            to.read(early.poll());
        }
        to.readComplete();
        if (closed) {
            to.closed(broken);
        } else if (inputClosed) {
            to.inputClosed();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message); // the empty content that follows the 101
        } else if (receiver != null) {
            receiver.read(bytes);
        } else if (closed) {
            bytes.release();
        } else {
            early.add(bytes);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (receiver != null) {
            receiver.readComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (receiver != null && isWritable()) {
            ctx.executor().execute(receiver::writable);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputClosed = true;
            if (receiver != null) {
                receiver.inputClosed();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        if (receiver != null) {
            receiver.closed(broken);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken = !inputClosed; // a reset after the end follows from what was written since
        ctx.close();
    }

    @Override
    public void write(ByteBuf bytes) {
        ctx.write(bytes, ctx.voidPromise());
    }

    @Override
    public void flush() {
        ctx.flush();
    }

    @Override
    public boolean isWritable() {
        return ctx.channel().isWritable();
    }

    @Override
    public void pause() {
        ctx.channel().config().setAutoRead(false);
    }

    @Override
    public void resume() {
        ctx.channel().config().setAutoRead(true);
    }

    @Override
    public void shutdownOutput() {
        if (ctx.channel() instanceof DuplexChannel channel) {
            SslHandler tls = ctx.pipeline().get(SslHandler.class);
            ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
                if (tls == null) {
                    channel.shutdownOutput();
                } else { // RFC 8446 section 6.1
                    tls.closeOutbound().addListener(_ -> channel.shutdownOutput());
                }
            });
        }
    }

    @Override
    public void onClose(Runnable action) {
        ctx.channel().closeFuture().addListener(_ -> action.run());
    }

    @Override
    public void close() {
        closed = true;
        while (!early.isEmpty()) {
            early.poll().release();
        }
        ctx.close();
    }
}
