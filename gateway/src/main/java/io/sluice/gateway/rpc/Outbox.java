package io.sluice.gateway.rpc;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.net.LoopTurns;
import java.util.ArrayDeque;

/**
 * Answers on their way to one socket, in turns of so many bytes, between which its event loop serves others.
 * Confined to the event loop.
 */
final class Outbox {
    /** In bytes: less than half a millisecond. */
    private static final int TURN = 64 * 1024;

    private final EventExecutor loop;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(1);
    private int left = TURN;
    private boolean writing;
    private boolean waiting;

    private record Entry(RpcAnswer answer, AnswerText text) {
    }

    Outbox(EventExecutor loop) {
        this.loop = loop;
    }

    /**
     * Sends an answer: at once where it is short and no other is before it.
     *
     * @param text owned by this from here on
     */
    void add(RpcAnswer answer, AnswerText text) {
        entries.add(new Entry(answer, text));
        if (!writing && !waiting) {
            write();
        }
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
        } while (!entries.isEmpty() && left > 0 && !LoopTurns.isOver(begun));
        writing = false;
        if (!entries.isEmpty()) {
            waiting = true;
            LoopTurns.ofThisLoop().add(loop, this::nextTurn);
        }
    }

    /** Takes a step. */
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
            entry.answer.broke(e);
            return true;
        }
    }

    private void nextTurn() {
        waiting = false;
        left = TURN;
        if (!entries.isEmpty()) {
            write();
        }
    }

    /** Drops all, as nobody is there for it; the entry that is at hand drops itself. */
    void close() {
        while (entries.size() > (writing ? 1 : 0)) {
            entries.removeLast().text.release();
        }
    }
}
