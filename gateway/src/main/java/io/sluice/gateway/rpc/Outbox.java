package io.sluice.gateway.rpc;

import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.WebSocket;
import java.util.ArrayDeque;

/**
 * Sends the responses of one WebSocket, each when the client has read those before it. They are written in
 * turns of 64 KiB, between which the event loop serves other connections. Confined to the event loop.
 */
final class Outbox {
    /** Bytes per turn, which take less than 0.5 ms. */
    private static final int TURN = 64 * 1024;

    private final WebSocket socket;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(1);
    private int left = TURN;
    private boolean writing;
    private boolean waiting;

    private record Entry(RpcResponse answer, ResponseText text) {
    }

    Outbox(WebSocket socket) {
        this.socket = socket;
    }

    /**
     * Sends a response, at once if it is short, no other waits, and the client reads.
     *
     * @param text owned by the outbox from here on
     */
    void add(RpcResponse answer, ResponseText text) {
        entries.add(new Entry(answer, text));
        writable();
    }

    /** Goes on with what waits, as the client reads again. */
    void writable() {
        if (!writing && !waiting && hasTurn()) {
            write();
        }
    }

    private boolean hasTurn() {
        return !entries.isEmpty() && socket.isWritable();
    }

    private void write() {
        long begun = System.nanoTime();
        writing = true;
        do {
            Entry entry = entries.element();
            if (isDone(entry)) {
                entries.remove();
                entry.text.release();
            }
        } while (hasTurn() && left > 0 && !LoopTurns.isOver(begun));
        writing = false;
        if (hasTurn()) {
            waiting = true;
            LoopTurns.ofThisLoop().add(socket.eventLoop(), this::nextTurn);
        }
    }

    /** Advances the response by one step; true if it is sent, failed or not wanted any more. */
    private boolean isDone(Entry entry) {
        if (!entry.answer.isWanted()) {
            return true;
        }
        try {
            left -= entry.text.step();
            if (entry.text.isWhole()) {
                entry.answer.send(entry.text);
            }
            return entry.text.isWhole();
        } catch (Throwable e) { // memory may have run out
            entry.answer.sendFailed(e);
            return true;
        }
    }

    private void nextTurn() {
        waiting = false;
        left = TURN;
        writable();
    }

    /**
     * Drops all responses, as the socket is closed. One that is being written at this moment is dropped by
     * {@link #write}.
     */
    void close() {
        while (entries.size() > (writing ? 1 : 0)) {
            entries.removeLast().text.release();
        }
    }
}
