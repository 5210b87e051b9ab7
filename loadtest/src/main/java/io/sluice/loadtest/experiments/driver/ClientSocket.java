package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a WebSocket without extensions, optimised for little CPU time: the driver shares its
 * processors with the server, and at 100,000 messages per second, 1 µs per message is a tenth of a processor.
 * It answers pings. A fragmented message closes it, as no server here has a reason to send one.
 */
final class ClientSocket extends ChannelInboundHandlerAdapter {

    private static final byte[] ACCEPTED = "HTTP/1.1 101 ".getBytes(StandardCharsets.US_ASCII);
    private static final ByteBuf END_OF_HEAD = Unpooled.unreleasableBuffer(
            Unpooled.copiedBuffer("\r\n\r\n", StandardCharsets.US_ASCII)).asReadOnly();
    private static final int LAST_FRAGMENT = 0x80;

    private final byte[] handshake;
    private final SocketListener listener;
    /** An incomplete frame, or an incomplete response to the handshake; null if there is none. */
    private @Nullable ByteBuf begun;
    private boolean open;

    ClientSocket(byte[] handshake, SocketListener listener) {
        this.handshake = handshake;
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.wrappedBuffer(handshake), context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        var bytes = (ByteBuf) message;
        if (begun != null) {
            bytes = Unpooled.wrappedBuffer(begun, bytes);
            begun = null;
        }
        try {
            if (!open) {
                open = accepted(bytes);
                if (open) {
                    listener.opened(context.channel());
                }
            }
            while (open && frame(context, bytes)) {
                // one after the other
            }
            if (bytes.isReadable()) {
                begun = bytes.readBytes(bytes.readableBytes());
            }
        } finally {
            bytes.release();
        }
    }

    /** Reads the response to the handshake, if it is complete; returns whether it is. */
    private static boolean accepted(ByteBuf bytes) throws IOException {
        int end = ByteBufUtil.indexOf(END_OF_HEAD, bytes);
        if (end < 0) {
            return false;
        }
        var head = new byte[end - bytes.readerIndex()];
        bytes.readBytes(head).skipBytes(END_OF_HEAD.readableBytes());
        if (!Arrays.equals(head, 0, Math.min(ACCEPTED.length, head.length),
                ACCEPTED, 0, ACCEPTED.length)) {
            throw new IOException("%s (expected: 101)"
                    .formatted(new String(head, StandardCharsets.US_ASCII).lines().findFirst().orElse("")));
        }
        return true;
    }

    /** Reads a frame, if it is complete; returns whether it is. */
    private boolean frame(ChannelHandlerContext context, ByteBuf bytes) throws IOException {
        int readable = bytes.readableBytes();
        if (readable < 2) {
            return false;
        }
        int start = bytes.readerIndex();
        int first = bytes.getUnsignedByte(start);
        long length = bytes.getByte(start + 1) & 0x7f;
        int head = 2;
        if (length == 126) {
            head = 4;
            length = readable < head ? Integer.MAX_VALUE : bytes.getUnsignedShort(start + 2);
        } else if (length == 127) {
            head = 10;
            length = readable < head ? Integer.MAX_VALUE : bytes.getLong(start + 2);
        }
        if (readable < head + length) {
            return false;
        }
        if ((first & LAST_FRAGMENT) == 0) {
            throw new IOException("a message in fragments (expected: one frame)");
        }
        bytes.readerIndex(start + head);
        take(context, first & 0x0f, bytes, (int) length);
        bytes.readerIndex(start + head + (int) length);
        return true;
    }

    private void take(ChannelHandlerContext context, int opcode, ByteBuf bytes, int length) {
        switch (opcode) {
            case Frames.TEXT, Frames.BINARY -> listener.message(bytes, length);
            case Frames.PING -> {
                var payload = new byte[length];
                bytes.readBytes(payload);
                context.writeAndFlush(Unpooled.wrappedBuffer(Frames.frame(Frames.PONG, payload)));
            }
            case Frames.CLOSE -> context.close();
            default -> {
                // an unsolicited pong
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        listener.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!open) {
            listener.refused(cause);
        }
        context.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (begun != null) {
            begun.release();
            begun = null;
        }
    }
}
