package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.WebSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the messages of one WebSocket. A long message is scanned in turns of 64 KiB, between which the event
 * loop serves other connections. Until then the message counts as a running request, and the session accepts
 * no other. Confined to the event loop.
 */
final class Inbox {
    private static final Logger log = LoggerFactory.getLogger(Inbox.class);
    /** Bytes per turn, which take less than 0.5 ms. */
    private static final int TURN = 64 * 1024;

    private final RpcSession session;
    private final WebSocket socket;
    private final HttpHeaders inherited;
    private final int maxRequestLine;
    /** The parser of the message that is being scanned in turns; null if there is none. */
    private @Nullable MessageParser parser;
    /** The message that is being scanned; owned by this object. */
    private @Nullable ByteBuf message;

    /**
     * The inbox of a session.
     *
     * @param inherited headers that each request gets
     * @param maxRequestLine in characters
     */
    Inbox(RpcSession session, WebSocket socket, HttpHeaders inherited, int maxRequestLine) {
        this.session = session;
        this.socket = socket;
        this.inherited = inherited;
        this.maxRequestLine = maxRequestLine;
    }

    /**
     * Scans a message, a short one at once. Must not be called while {@link #isScanning()}.
     *
     * @param text stays the caller's
     */
    void add(ByteBuf text) {
        var first = new MessageParser(text, inherited, maxRequestLine);
        if (first.scan(TURN)) {
            session.received(first.message());
            return;
        }
        parser = first;
        message = text.retain();
        socket.beginRequest();
        awaitTurn();
        session.pauseOrResume();
    }

    boolean isScanning() {
        return parser != null;
    }

    private void awaitTurn() {
        LoopTurns.ofThisLoop().add(socket.eventLoop(), this::nextTurn);
    }

    private void nextTurn() {
        MessageParser current = parser;
        if (current == null) {
            return; // closed meanwhile
        }
        try {
            if (current.scan(TURN)) {
                handOver(current.message());
            } else {
                awaitTurn();
            }
        } catch (Throwable e) { // memory may have run out
            log.error("a message could not be read", e);
            session.fail();
        }
    }

    /** Ends the scan only after the request has begun, so that a drain waits for the request, too. */
    private void handOver(RpcMessage read) {
        release();
        try {
            session.received(read);
        } finally {
            socket.endRequest();
        }
    }

    private void release() {
        parser = null;
        if (message != null) {
            message.release();
            message = null;
        }
    }

    /** Drops the message that is being scanned: the socket is closed. */
    void close() {
        if (isScanning()) {
            release();
            socket.endRequest();
        }
    }
}
