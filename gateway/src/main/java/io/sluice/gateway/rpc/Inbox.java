package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.WebSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The message of one socket that is being scanned: a long one in turns of so many bytes, between which its
 * event loop serves others. Until it is scanned, it counts as a request that has begun, and its session takes
 * no other. Confined to the event loop.
 */
final class Inbox {
    private static final Logger log = LoggerFactory.getLogger(Inbox.class);
    /** In bytes: less than half a millisecond. */
    private static final int TURN = 64 * 1024;

    private final RpcSession session;
    private final WebSocket socket;
    private final HttpHeaders inherited;
    private final int maxRequestLine;
    /** The reader of the message that is scanned in turns; null where none is. */
    private MessageReader reader;
    /** Owned by this while it is scanned. */
    private ByteBuf message;

    /**
     * An inbox for the messages of a session.
     *
     * @param inherited headers that each request has
     * @param maxRequestLine in characters
     */
    Inbox(RpcSession session, WebSocket socket, HttpHeaders inherited, int maxRequestLine) {
        this.session = session;
        this.socket = socket;
        this.inherited = inherited;
        this.maxRequestLine = maxRequestLine;
    }

    /**
     * Scans a message: at once where it is short. Not while another one is being scanned.
     *
     * @param text stays its owner's
     */
    void add(ByteBuf text) {
        var first = new MessageReader(text, inherited, maxRequestLine);
        if (first.scan(TURN)) {
            session.received(first.message());
            return;
        }
        reader = first;
        message = text.retain();
        socket.beginRequest();
        awaitTurn();
        session.waitOrGoOn();
    }

    boolean isScanning() {
        return reader != null;
    }

    private void awaitTurn() {
        LoopTurns.ofThisLoop().add(socket.eventLoop(), this::nextTurn);
    }

    private void nextTurn() {
        if (!isScanning()) {
            return; // closed meanwhile
        }
        try {
            if (reader.scan(TURN)) {
                handOver(reader.message());
            } else {
                awaitTurn();
            }
        } catch (Throwable e) { // memory may have run out
            log.error("a message could not be read", e);
            session.broken();
        }
    }

    /** A drain that waits for the scan waits for the request, too. */
    private void handOver(RpcMessage read) {
        release();
        try {
            session.received(read);
        } finally {
            socket.endRequest();
        }
    }

    private void release() {
        reader = null;
        message.release();
        message = null;
    }

    /** Drops the message that is being scanned, as nobody is there for its answer. */
    void close() {
        if (isScanning()) {
            release();
            socket.endRequest();
        }
    }
}
