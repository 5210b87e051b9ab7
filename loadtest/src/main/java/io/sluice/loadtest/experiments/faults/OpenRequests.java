package io.sluice.loadtest.experiments.faults;

import java.util.concurrent.TimeUnit;

/** An open loop of {@link Workload}'s requests, each on a virtual thread. It runs until it is closed. */
final class OpenRequests implements AutoCloseable {

    private final Balancer balancer;
    private final long gap;
    private final Thread clock;
    private Tally tally = new Tally();
    private volatile boolean closed;

    /** Starts at once. */
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

    /** Counts requests in a new tally from now on; returns the previous one. */
    synchronized Tally next() {
        var last = tally;
        tally = new Tally();
        return last;
    }

    /** Ends the loop; blocks until every request is complete. */
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
