package io.sluice.loadtest.experiments.faults;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One gateway as the balancer sees it: a port, and a bounded pool of connections. */
final class Backend implements AutoCloseable {

    /** Source addresses of its connections, used in turn so that they stay below the limit per address. */
    private static final int ADDRESSES = 8;
    private static final int MOST_IDLE = 16;
    /**
     * The limit of concurrent requests, and so connections, like HAProxy's {@code maxconn}; further requests
     * wait.
     */
    private static final int MOST = 256;
    private static final int PATIENCE_SECONDS = 10;

    private final int port;
    private final Semaphore permits = new Semaphore(MOST);
    private final AtomicInteger opened = new AtomicInteger();
    private final Deque<Line> http = new ConcurrentLinkedDeque<>();
    private final Deque<Line> sockets = new ConcurrentLinkedDeque<>();

    Backend(int port) {
        this.port = port;
    }

    /**
     * Takes a free connection, or opens a new one if there is none or {@code fresh} is set. Blocks while all
     * are in use.
     */
    Line line(boolean socket, boolean fresh) throws IOException {
        awaitPermit();
        var free = fresh ? null : idle(socket).poll();
        return free != null ? free : open(socket);
    }

    private void awaitPermit() throws IOException {
        try {
            if (!permits.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no connection is free");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while no connection was free");
        }
    }

    private Line open(boolean socket) throws IOException {
        try {
            return Line.open("127.0.0." + (2 + opened.getAndIncrement() % ADDRESSES), port, socket);
        } catch (IOException e) {
            permits.release();
            throw e;
        }
    }

    /** Returns a connection whose response is complete. */
    void free(Line line) throws IOException {
        permits.release();
        var idle = idle(line.socket() != null);
        if (line.reusable() && idle.size() < MOST_IDLE) {
            line.reusable(false);
            idle.push(line);
        } else {
            line.close();
        }
    }

    /** Removes a broken connection and the free ones, which may be broken too. */
    void broke(Line line, boolean socket) throws IOException {
        permits.release();
        line.close();
        forget(socket);
    }

    private void forget(boolean socket) throws IOException {
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
