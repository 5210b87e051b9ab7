package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.TunnelConnection;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a WebSocket: writes messages as frames, with one flush for all that are written during
 * a read.
 */
final class SocketWriter {
    /**
     * In bytes. Longer messages are not copied but sent behind a separate header; they can retain a read
     * buffer of 64 KiB.
     */
    private static final int COPIED = 8 * 1024;

    /**
     * The most pings that are answered during one read. Of further ones, only the newest is answered, at the
     * end of the read.
     */
    private static final int PONGS = 16;

    private final TunnelConnection connection;
    private MessageEncoding encoding;
    private boolean reading;
    private boolean flushOwed;
    /** The pong to the newest ping, not sent yet; null if there is none. */
    private @Nullable ByteBuf pongOwed;
    /** Pongs that were sent since the read began. */
    private int pongs;
    private boolean pingOwed;
    /** The value of {@link TunnelConnection#taken()} at the last call of {@link #isTaken()}. */
    private long taken;

    SocketWriter(TunnelConnection connection, MessageEncoding encoding) {
        this.connection = connection;
        this.encoding = encoding;
    }

    /** Changes the encoding of messages from here on. */
    void encode(MessageEncoding other) {
        encoding = other;
    }

    void onReadStart() {
        reading = true;
    }

    void onReadEnd() {
        pongs = 0;
        sendPongOwed();
        reading = false;
        if (flushOwed) {
            flushOwed = false;
            connection.flush();
        }
    }

    /** Sends a message, which the writer owns from here on. */
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

    /**
     * Sends a ping; to a client that does not read, as soon as it reads again. While memory is short, every
     * client gets a ping, as the connection does not tell whether it reads.
     */
    void ping() {
        pingOwed = !connection.isWritable() && !DirectMemory.isShort();
        if (!pingOwed) {
            write(FrameEncoder.frame(connection.alloc(), Opcode.PING, false, Unpooled.EMPTY_BUFFER));
        }
    }

    /**
     * Returns whether a client that cannot be pinged now has read something since the last call of this
     * method.
     */
    boolean isTaken() {
        if (connection.isWritable()) {
            return false;
        }
        long before = taken;
        taken = connection.taken();
        return taken != before;
    }

    /**
     * Answers a ping. If the client does not read, or has sent many pings at once, only the newest is
     * answered (RFC 6455 section 5.5.3).
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

    /** Sends the ping and pong that had to wait: the client reads again. */
    void writable() {
        if (pingOwed) {
            ping();
        }
        sendPongOwed();
    }

    /** Sends a close frame as the last frame, behind a pong that is owed. */
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

    /** Releases a pong that is owed. */
    void release() {
        if (pongOwed != null) {
            pongOwed.release();
            pongOwed = null;
        }
    }
}
