package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.server.ServerProcess;
import java.io.IOException;

/** The allocation rate of a server under a steady load, from one moment on. */
public record AllocationRate(double bytes, long nanos) {

    static AllocationRate of(ServerProcess server) throws IOException, InterruptedException {
        return new AllocationRate(server.allocatedBytes(), System.nanoTime());
    }

    /** The rate since then in bytes per second; NaN if it is not known. */
    double perSecond(ServerProcess server) throws IOException, InterruptedException {
        var now = of(server);
        return (now.bytes - bytes) / (now.nanos - nanos) * 1e9;
    }
}
