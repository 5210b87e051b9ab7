package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * The messages that arrive at all subscribers of {@link Publications}, of several {@link WebSockets}. For
 * each publication of a measured phase it records when the last subscriber has it, from the time of
 * sending. Thread-safe.
 */
public final class LastDeliveries implements WebSockets.MessageListener {

    private static final long LONGEST = Duration.ofMinutes(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;
    /** The most publications, the warm-up included. */
    private static final int MOST = 1 << 14;

    private final Publications publications;
    private final int subscribers;
    private final AtomicIntegerArray arrived = new AtomicIntegerArray(MOST);
    private final LongAdder counted = new LongAdder();
    private final Histogram latencies = new SynchronizedHistogram(1_000, LONGEST, 3);
    private volatile int from = MOST;
    private volatile int to = MOST;

    /** Records nothing before {@link #begin}. */
    public LastDeliveries(Publications publications, int subscribers) {
        this.publications = publications;
        this.subscribers = subscribers;
    }

    @Override
    public void message(ByteBuf bytes, int length) {
        int number = Publications.number(bytes);
        if (number >= from && number < to) {
            counted.increment();
            if (arrived.incrementAndGet(number) == subscribers) {
                latencies.recordValue(Math.clamp(System.nanoTime() - publications.sent(number), 0, LONGEST));
            }
        }
    }

    /** Begins to record with the publication after the next one, of which nothing can be in transit yet. */
    public void begin() {
        from = Math.min(publications.count() + 1, MOST);
    }

    /**
     * Ends the phase; waits for outstanding messages, 5 s at most.
     *
     * @return how many did not arrive
     */
    public long end() throws InterruptedException {
        to = Math.clamp(publications.count(), from, MOST);
        long expected = (long) (to - from) * subscribers;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (counted.sum() < expected && deadline - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the count has to be polled
        }
        return expected - counted.sum();
    }

    /** The number of messages that arrived. */
    public long count() {
        return counted.sum();
    }

    /** Latencies from sending to the arrival at the last subscriber, in ns. */
    public Histogram latencies() {
        return latencies;
    }
}
