package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.net.HalfCloseHandler;
import io.sluice.gateway.net.LingeringClose;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.gateway.net.TunnelCounts;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.gateway.tunnel.TunnelHandler;
import io.sluice.handlers.Tunnel;

/** A tunnel over an HTTP/1.1 connection, after a 101; its bytes are those of the connection. */
final class ConnectionTunnel extends TunnelHandler {
    private final ReadAhead readAhead;

    /**
     * Creates a tunnel that follows a 101.
     *
     * @param readAhead of the connection; remains in front of the tunnel
     */
    ConnectionTunnel(Tunnel tunnel, DrainableSet ofRoute, TunnelCounts counts, EventExecutor loop,
                     ReadAhead readAhead) {
        super(tunnel, ofRoute, counts, loop);
        this.readAhead = readAhead;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (!readAhead.takeBack(bytes)) {
            read(bytes);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputClosed();
            closeIfClosedBothWays();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    private void closeIfClosedBothWays() {
        if (isClosedBothWays() && context().channel() instanceof DuplexChannel channel
                && channel.isOutputShutdown()) {
            channel.close();
        }
    }

    @Override
    protected void allowHalfClose() {
        HalfCloseHandler.allowHalfClose(context().channel());
    }

    @Override
    protected Object framed(ByteBuf bytes) {
        return bytes;
    }

    /**
     * Returns the identity of the message that is being sent, combined with how many of its bytes have been
     * sent.
     */
    @Override
    public long taken() {
        ChannelOutboundBuffer waiting = context().channel().unsafe().outboundBuffer();
        return waiting == null ? 0
                : (long) System.identityHashCode(waiting.current()) << Integer.SIZE
                        ^ waiting.currentProgress();
    }

    @Override
    public void pause() {
        readAhead.pause(false);
    }

    @Override
    public void resume() {
        readAhead.resume();
    }

    /** Closes both halves under TLS, where not every client supports a half-close. */
    @Override
    protected void endOutput() {
        if (context().pipeline().get(SslHandler.class) == null
                && context().channel() instanceof DuplexChannel channel) {
            context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(
                    _ -> channel.shutdownOutput().addListener(_ -> closeIfClosedBothWays()));
        } else {
            close();
        }
    }

    @Override
    protected void dropInput() {
        readAhead.clear();
        readAhead.resume();
    }

    @Override
    protected void linger(boolean outputOpen) {
        LingeringClose.close(context());
    }

    @Override
    protected void abort() {
        LingeringClose.reset(context());
    }
}
