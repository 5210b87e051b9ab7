package io.sluice.loadtest.experiments.driver;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Messages to publish, each of 100 bytes that begin with its number; known is when each was sent. */
public final class Publications implements RequestSource {

    /** Digits of a number. */
    static final int DIGITS = 8;

    private static final int LENGTH = 100;
    /** Send times that are remembered, a power of two; older ones are forgotten. */
    private static final int REMEMBERED = 1 << 14;

    private final String path;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLongArray sent = new AtomicLongArray(REMEMBERED);

    /** By POST to a path that starts with a slash. */
    public Publications(String path) {
        this.path = path;
    }

    @Override
    public Request next() {
        int number = count.get();
        var text = ("%0" + DIGITS + "d ").formatted(number);
        var request = Request.post(path, path, text + ".".repeat(LENGTH - text.length()));
        sent.set(number & REMEMBERED - 1, System.nanoTime());
        count.set(number + 1);
        return request;
    }

    /** How many there have been so far; of any thread. */
    int count() {
        return count.get();
    }

    /** When one was sent, by {@link System#nanoTime}; of any thread. */
    long sent(int number) {
        return sent.get(number & REMEMBERED - 1);
    }
}
