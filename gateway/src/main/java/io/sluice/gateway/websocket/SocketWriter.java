package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.TunnelConnection;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a WebSocket: writes messages as frames, with one flush for all that are written during
 * a read. A long frame is written in turns, as TLS encrypts all that it gets in one task.
 */
final class SocketWriter {
    /**
     * In bytes. Longer messages are not copied but sent after a separate header; they can retain a read
     * buffer of 64 KiB.
     */
    private static final int COPIED = 8 * 1024;

    /** In bytes. TLS encrypts as many in less than 0.5 ms. */
    private static final int SLICE = 256 * 1024;

    /**
     * The most pings that are answered during one read. Of further ones, only the newest is answered, at the
     * end of the read.
     */
    private static final int PONGS = 16;

    private final TunnelConnection connection;
    private final Runnable writableAgain;
    /** The rest of a long frame, and frames after it. */
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(0);
    /** Indicates whether the connection is closed when all frames have been written. */
    private boolean closes;
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

    /**
     * The writer of a socket.
     *
     * @param writableAgain is called when it {@link #isWritable()} after the last turn of a long frame
     */
    SocketWriter(TunnelConnection connection, MessageEncoding encoding, Runnable writableAgain) {
        this.connection = connection;
        this.writableAgain = writableAgain;
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
                put(header);
                write(message.retain());
            }
        } finally {
            message.release();
        }
    }

    void message(SharedMessage message) {
        write(message.as(encoding));
    }

    /** Returns whether the client reads messages as fast as they are written. */
    boolean isWritable() {
        return waiting.isEmpty() && connection.isWritable();
    }

    /**
     * Sends a ping; to a client that does not read, as soon as it reads again. While memory is short, every
     * client gets a ping, as the connection does not tell whether it reads.
     */
    void ping() {
        pingOwed = !isWritable() && !DirectMemory.isShort();
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
        if (pongOwed != null && isWritable()) {
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

    /** Sends a close frame as the last frame, after a pong that is owed. */
    void close(WebSocketCloseStatus status) {
        sendPongOwed();
        write(CloseFrame.of(connection.alloc(), status));
    }

    private void write(ByteBuf bytes) {
        put(bytes);
        if (reading) {
            flushOwed = true;
        } else {
            connection.flush();
        }
    }

    private void put(ByteBuf bytes) {
        if (!waiting.isEmpty()) {
            waiting.add(bytes);
        } else if (bytes.readableBytes() <= SLICE) {
            connection.write(bytes);
        } else {
            connection.write(bytes.readRetainedSlice(SLICE));
            waiting.add(bytes);
            awaitTurn();
        }
    }

    private void awaitTurn() {
        LoopTurns.ofThisLoop().add(connection.eventLoop(), this::nextTurn);
    }

    private void nextTurn() {
        if (waiting.isEmpty()) {
            return; // the connection has been closed
        }
        long begun = System.nanoTime();
        while (!waiting.isEmpty() && !LoopTurns.isOver(begun)) {
            connection.write(nextSlice());
            connection.flush();
        }
        if (!waiting.isEmpty()) {
            awaitTurn();
        } else {
            written();
        }
    }

    /**
     * Returns the next bytes as a slice, also the last of a frame: Netty appends the bytes that follow to a
     * buffer of parts, and these would stand behind its unused capacity.
     */
    private ByteBuf nextSlice() {
        ByteBuf first = waiting.element();
        if (first.readableBytes() > SLICE) {
            return first.readRetainedSlice(SLICE);
        }
        ByteBuf rest = first.readRetainedSlice(first.readableBytes());
        waiting.remove().release();
        return rest;
    }

    private void written() {
        if (closes) {
            connection.close();
        } else {
            writableAgain.run();
        }
    }

    /** Writes at once what waits for turns: the connection is about to be closed by force. */
    void writeAll() {
        if (waiting.isEmpty()) {
            return;
        }
        while (!waiting.isEmpty()) {
            connection.write(nextSlice());
        }
        connection.flush();
        written();
    }

    /** Closes the connection after the last frame, when it has been written. */
    void closeWhenWritten() {
        closes = true;
        if (waiting.isEmpty()) {
            connection.close();
        }
    }

    /** Drops what is not written, as the connection is closed. */
    void drop() {
        while (!waiting.isEmpty()) {
            waiting.remove().release();
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
