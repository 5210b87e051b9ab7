package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Messages to publish, each with 100 bytes that start with its number; remembers when each was sent. */
public final class Publications implements RequestSource {

    /** Digits of a number. */
    private static final int DIGITS = 8;

    private static final int LENGTH = 100;
    /** The number of send times that are remembered, a power of two. */
    private static final int REMEMBERED = 1 << 14;

    private final String path;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLongArray sent = new AtomicLongArray(REMEMBERED);

    /** Publications by POST to a path that starts with a slash. */
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

    /** The number of a message. */
    static int number(ByteBuf bytes) {
        int number = 0;
        for (int n = 0, at = bytes.readerIndex(); n < DIGITS; n++) {
            number = number * 10 + bytes.getByte(at + n) - '0';
        }
        return number;
    }

    /** The number of messages so far. Any thread. */
    int count() {
        return count.get();
    }

    /** The time at which a message was sent, by {@link System#nanoTime}. Any thread. */
    long sent(int number) {
        return sent.get(number & REMEMBERED - 1);
    }
}
