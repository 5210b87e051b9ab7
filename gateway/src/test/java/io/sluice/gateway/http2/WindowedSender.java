package io.sluice.gateway.http2;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Sends DATA within the peer's windows (RFC 9113 section 6.9), and reads frames meanwhile. */
final class WindowedSender {
    private static final int INITIAL = 65_535;
    private static final String PIECE = "x".repeat(16 * 1024);

    private final FrameClient connection;
    private final Map<Integer, Long> windows = new HashMap<>();
    private final List<Frame> read = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();

    /**
     * Starts to read frames.
     *
     * @param more the bytes that the window of the connection has been enlarged by
     */
    WindowedSender(FrameClient connection, int more) {
        this.connection = connection;
        windows.put(0, (long) INITIAL + more);
        Thread.ofVirtual().start(this::readAll);
    }

    /**
     * Sends a body of the given size on a thread of its own. A pool's thread might wait for another sender.
     */
    CompletableFuture<Void> send(int stream, int size) {
        return CompletableFuture.runAsync(() -> {
            for (long left = size; left > 0; left -= PIECE.length()) {
                spend(stream, PIECE.length());
                connection.sendNow(FrameClient.data(stream, left == PIECE.length(), PIECE));
                sent.addAndGet(PIECE.length());
            }
        }, Thread::startVirtualThread);
    }

    /** Returns the number of bytes that have been sent. */
    AtomicLong sent() {
        return sent;
    }

    private synchronized void spend(int stream, int bytes) {
        while (windows.get(0) < bytes || window(stream) < bytes) {
            await();
        }
        windows.merge(0, (long) -bytes, Long::sum);
        windows.put(stream, window(stream) - bytes);
    }

    private long window(int stream) {
        return windows.getOrDefault(stream, (long) INITIAL);
    }

    /** Returns the head on a stream. */
    synchronized Map<String, String> head(int stream) {
        while (true) {
            for (Frame frame : read) {
                if (frame.is(Frame.HEADERS) && frame.stream() == stream) {
                    return connection.headers(frame);
                }
            }
            await();
        }
    }

    private void await() {
        try {
            wait(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void readAll() {
        try {
            while (true) {
                add(connection.read());
            }
        } catch (IOException e) {
            // the test has ended
        }
    }

    private synchronized void add(Frame frame) {
        read.add(frame);
        if (frame.is(Frame.WINDOW_UPDATE)) {
            windows.put(frame.stream(), window(frame.stream()) + frame.number());
        }
        notifyAll();
    }
}
