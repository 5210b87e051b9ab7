package io.sluice.loadtest.experiments.server;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** Workers that each take a fixed time for a request, and an unbounded queue before them. Any thread. */
final class OriginWorkers {

    private record Job(EventExecutor loop, Runnable done) {}

    private final Duration each;
    private final ArrayDeque<Job> waiting = new ArrayDeque<>();
    private int free;

    OriginWorkers(int workers, Duration each) {
        free = workers;
        this.each = each;
    }

    /** Runs {@code done} on the event loop when a worker has taken its time. */
    void work(EventExecutor loop, Runnable done) {
        var job = new Job(loop, done);
        synchronized (this) {
            if (free == 0) {
                waiting.add(job);
                return;
            }
            free--;
        }
        begin(job);
    }

    private void begin(Job job) {
        job.loop().schedule(() -> {
            next();
            job.done().run();
        }, each.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void next() {
        Job job;
        synchronized (this) {
            job = waiting.poll();
            if (job == null) {
                free++;
                return;
            }
        }
        begin(job);
    }
}
