package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.handlers.SharedMessage;

/** The sending half of a socket: writes messages as frames, and flushes once for what a read has caused. */
final class SocketWriter {
    /** In bytes. What is longer is sent from where it lies, behind its header: maybe a read of 64 KiB. */
    private static final int COPIED = 8 * 1024;

    /** Pings of a read that are all answered; of more, only the newest is, at the end of the read. */
    private static final int PONGS = 16;

    private final ChannelHandlerContext ctx;
    private final MessageEncoding encoding;
    private boolean reading;
    private boolean flushOwed;
    /** Answers the newest ping where not all are answered, or null. */
    private ByteBuf pongOwed;
    /** Sent since the read began. */
    private int pongs;
    private boolean pingOwed;
    /** What the client was taking when that was looked at last, and how much of it. */
    private int taking;
    private long taken;

    SocketWriter(ChannelHandlerContext ctx, MessageEncoding encoding) {
        this.ctx = ctx;
        this.encoding = encoding;
    }

    void readBegins() {
        reading = true;
    }

    void readEnds() {
        pongs = 0;
        sendPongOwed();
        reading = false;
        if (flushOwed) {
            flushOwed = false;
            ctx.flush();
        }
    }

    /** Sends a message and owns it from here on. */
    void message(boolean text, ByteBuf message) {
        int length = message.readableBytes();
        try {
            if (length <= COPIED || encoding.compresses(length)) {
                write(encoding.encode(text, message));
            } else {
                ByteBuf header = ctx.alloc().buffer(FrameEncoder.headerLength(length));
                FrameEncoder.writeHeader(header, text ? Opcode.TEXT : Opcode.BINARY, false, length);
                ctx.write(header, ctx.voidPromise());
                write(message.retain());
            }
        } finally {
            message.release();
        }
    }

    void message(SharedMessage message) {
        write(message.as(encoding));
    }

    /** A client that does not read is pinged as soon as it does. */
    void ping() {
        pingOwed = !ctx.channel().isWritable();
        if (!pingOwed) {
            write(FrameEncoder.frame(ctx.alloc(), Opcode.PING, false, Unpooled.EMPTY_BUFFER));
        }
    }

    /** Whether a client that cannot be pinged now has taken something since this was asked last. */
    boolean isTaken() {
        ChannelOutboundBuffer waiting = ctx.channel().unsafe().outboundBuffer();
        if (waiting == null || ctx.channel().isWritable()) {
            return false;
        }
        int before = taking;
        long takenBefore = taken;
        taking = System.identityHashCode(waiting.current());
        taken = waiting.currentProgress();
        return taking != before || taken != takenBefore;
    }

    /**
     * Answers a ping. Where the client does not read, or has sent many pings at once, the newest is enough
     * to answer (RFC 6455 section 5.5.3).
     */
    void pong(ByteBuf payload) {
        release();
        pongOwed = FrameEncoder.frame(ctx.alloc(), Opcode.PONG, false, payload);
        if (!reading || pongs < PONGS) {
            sendPongOwed();
        }
    }

    private void sendPongOwed() {
        if (pongOwed != null && ctx.channel().isWritable()) {
            ByteBuf pong = pongOwed;
            pongOwed = null;
            pongs++;
            write(pong);
        }
    }

    /** The client reads again. */
    void writable() {
        if (pingOwed) {
            ping();
        }
        sendPongOwed();
    }

    /** The last that is sent, behind the pong that is owed. */
    void close(WebSocketCloseStatus status) {
        sendPongOwed();
        write(CloseFrame.of(ctx.alloc(), status));
    }

    private void write(ByteBuf frame) {
        ctx.write(frame, ctx.voidPromise());
        if (reading) {
            flushOwed = true;
        } else {
            ctx.flush();
        }
    }

    /** Forgets what is owed. */
    void release() {
        if (pongOwed != null) {
            pongOwed.release();
            pongOwed = null;
        }
    }
}
