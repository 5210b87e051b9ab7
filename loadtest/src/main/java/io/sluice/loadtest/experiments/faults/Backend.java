package io.sluice.loadtest.experiments.faults;

import java.io.IOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** One gateway as its balancer sees it: a port, and connections that are free. */
final class Backend implements AutoCloseable {

    /** Addresses that its connections come from in turn, so that no limit of one address is met. */
    private static final int ADDRESSES = 8;
    private static final int MOST_IDLE = 16;

    private final int port;
    private final AtomicInteger opened = new AtomicInteger();
    private final Deque<Line> http = new ConcurrentLinkedDeque<>();
    private final Deque<Line> sockets = new ConcurrentLinkedDeque<>();

    Backend(int port) {
        this.port = port;
    }

    /** A free line; a new one where there is none, or where {@code fresh}. */
    Line line(boolean socket, boolean fresh) throws IOException {
        var free = fresh ? null : idle(socket).poll();
        return free != null ? free : Line.open(
                "127.0.0." + (2 + opened.getAndIncrement() % ADDRESSES), port, socket);
    }

    /** Takes back a line whose answer is complete. */
    void free(Line line) throws IOException {
        var idle = idle(line.socket() != null);
        if (line.reusable() && idle.size() < MOST_IDLE) {
            line.reusable(false);
            idle.push(line);
        } else {
            line.close();
        }
    }

    /** A line broke, so those that are free may be no better. */
    void forget(boolean socket) throws IOException {
        for (Line line; (line = idle(socket).poll()) != null;) {
            line.close();
        }
    }

    private Deque<Line> idle(boolean socket) {
        return socket ? sockets : http;
    }

    @Override
    public void close() throws IOException {
        forget(false);
        forget(true);
    }
}
