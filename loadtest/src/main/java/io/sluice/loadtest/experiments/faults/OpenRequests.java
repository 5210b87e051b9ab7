package io.sluice.loadtest.experiments.faults;

import java.util.concurrent.TimeUnit;

/**
 * An open loop of {@link Workload}'s requests: they are sent by the clock, answers or not, each on a virtual
 * thread. It goes on until it is closed.
 */
final class OpenRequests implements AutoCloseable {

    private final Balancer balancer;
    private final long gap;
    private final Thread clock;
    private Tally tally = new Tally();
    private volatile boolean closed;

    /** Begins at once. */
    OpenRequests(Balancer balancer, double perSecond) {
        this.balancer = balancer;
        gap = Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond);
        clock = Thread.ofPlatform().daemon().name("open-requests").start(this::run);
    }

    private void run() {
        try {
            long next = System.nanoTime();
            for (int number = 0; !closed; number++, next += gap) {
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                var request = Workload.request(number);
                var counted = begun();
                Thread.ofVirtual().start(() -> counted.end(System.nanoTime(), balancer.ask(request)));
            }
        } catch (InterruptedException _) {
            // it is closed
        }
    }

    private synchronized Tally begun() {
        tally.begin();
        return tally;
    }

    /** From now on, requests count in a new tally; returns that of those before. */
    synchronized Tally next() {
        var last = tally;
        tally = new Tally();
        return last;
    }

    /** Ends it; blocks until every request is over. */
    @Override
    public void close() {
        closed = true;
        clock.interrupt();
        try {
            clock.join();
            next().await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
