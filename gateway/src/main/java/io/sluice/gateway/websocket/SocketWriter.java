package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.TunnelConnection;

/** The sending half of a socket: writes messages as frames, and flushes once for what a read has caused. */
final class SocketWriter {
    /** In bytes. What is longer is sent from where it lies, behind its header: maybe a read of 64 KiB. */
    private static final int COPIED = 8 * 1024;

    /** Pings of a read that are all answered; of more, only the newest is, at the end of the read. */
    private static final int PONGS = 16;

    private final TunnelConnection connection;
    private MessageEncoding encoding;
    private boolean reading;
    private boolean flushOwed;
    /** Answers the newest ping where not all are answered, or null. */
    private ByteBuf pongOwed;
    /** Sent since the read began. */
    private int pongs;
    private boolean pingOwed;
    /** What the client had taken when that was looked at last. */
    private long taken;

    SocketWriter(TunnelConnection connection, MessageEncoding encoding) {
        this.connection = connection;
        this.encoding = encoding;
    }

    /** Encodes messages so from here on. */
    void encode(MessageEncoding other) {
        encoding = other;
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
            connection.flush();
        }
    }

    /** Sends a message and owns it from here on. */
    void message(boolean text, ByteBuf message) {
        int length = message.readableBytes();
        try {
            if (length <= COPIED || encoding.compresses(length)) {
                write(encoding.encode(text, message));
            } else {
                ByteBuf header = connection.alloc().buffer(FrameEncoder.headerLength(length));
                FrameEncoder.writeHeader(header, text ? Opcode.TEXT : Opcode.BINARY, false, length);
                connection.write(header);
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
        pingOwed = !connection.isWritable();
        if (!pingOwed) {
            write(FrameEncoder.frame(connection.alloc(), Opcode.PING, false, Unpooled.EMPTY_BUFFER));
        }
    }

    /** Whether a client that cannot be pinged now has taken something since this was asked last. */
    boolean isTaken() {
        if (connection.isWritable()) {
            return false;
        }
        long before = taken;
        taken = connection.taken();
        return taken != before;
    }

    /**
     * Answers a ping. Where the client does not read, or has sent many pings at once, the newest is enough
     * to answer (RFC 6455 section 5.5.3).
     */
    void pong(ByteBuf payload) {
        release();
        pongOwed = FrameEncoder.frame(connection.alloc(), Opcode.PONG, false, payload);
        if (!reading || pongs < PONGS) {
            sendPongOwed();
        }
    }

    private void sendPongOwed() {
        if (pongOwed != null && connection.isWritable()) {
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
        write(CloseFrame.of(connection.alloc(), status));
    }

    private void write(ByteBuf frame) {
        connection.write(frame);
        if (reading) {
            flushOwed = true;
        } else {
            connection.flush();
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
