package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The messages that arrive at the subscribers of {@link Publications}. For each publication of a measured
 * phase, it counts the arrivals and records their latencies, from the time of sending. Written on the event
 * loop of the subscribers; to be read after the phase.
 */
public final class Deliveries implements WebSockets.MessageListener {

    private static final long LONGEST = Duration.ofMinutes(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Publications publications;
    private final Histogram latencies = new Histogram(1_000, LONGEST, 3);
    private final AtomicLong arrived = new AtomicLong();
    private volatile int from = Integer.MAX_VALUE;
    private volatile int to = Integer.MAX_VALUE;

    /** Counts nothing before {@link #begin}. */
    public Deliveries(Publications publications) {
        this.publications = publications;
    }

    @Override
    public void message(ByteBuf bytes, int length) {
        int number = Publications.number(bytes);
        if (number >= from && number < to) {
            latencies.recordValue(Math.clamp(System.nanoTime() - publications.sent(number), 0, LONGEST));
            arrived.lazySet(arrived.get() + 1);
        }
    }

    /** Begins to count with the publication after the next one, of which nothing can be in transit yet. */
    public void begin() {
        from = publications.count() + 1;
    }

    /**
     * Ends the phase; waits for outstanding messages, 5 s at most.
     *
     * @return how many did not arrive
     */
    public long end(int subscribers) throws InterruptedException {
        to = Math.max(from, publications.count());
        long expected = (long) (to - from) * subscribers;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (arrived.get() < expected && deadline - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the count has to be polled
        }
        return expected - arrived.get();
    }

    /** The number of messages that arrived. */
    public long count() {
        return arrived.get();
    }

    /** Latencies from sending to arrival, in ns. */
    public Histogram latencies() {
        return latencies;
    }
}
