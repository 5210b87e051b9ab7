package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Records the peaks of a server's memory and descriptors from now on. Descriptors are counted every 20 ms.
 * The kernel keeps the peak of memory, which is read until the server ends.
 */
public final class PeakWatch implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final ServerProcess server;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("peak-watch").factory());
    private volatile long descriptors;
    private volatile long residentBytes;

    private PeakWatch(ServerProcess server) {
        this.server = server;
    }

    /** Resets the peaks, and starts to watch. */
    public static PeakWatch of(ServerProcess server) throws IOException {
        server.forgetPeak();
        var watch = new PeakWatch(server);
        watch.look();
        watch.clock.scheduleAtFixedRate(
                watch::look, INTERVAL.toNanos(), INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
        return watch;
    }

    private void look() {
        try {
            descriptors = Math.max(descriptors, server.openDescriptors());
            residentBytes = Math.max(residentBytes, server.peakResidentBytes());
        } catch (IOException _) {
            // it has ended
        }
    }

    public long descriptors() {
        return descriptors;
    }

    public long residentBytes() {
        return residentBytes;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
