package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.server.ServerProcess;
import java.io.IOException;

/** How much a server under a steady load allocates, from one moment on. */
record AllocationRate(double bytes, long nanos) {

    static AllocationRate of(ServerProcess server) throws IOException, InterruptedException {
        return new AllocationRate(server.allocatedBytes(), System.nanoTime());
    }

    /** Since then, in bytes; NaN where it is not known. */
    double perSecond(ServerProcess server) throws IOException, InterruptedException {
        var now = of(server);
        return (now.bytes - bytes) / (now.nanos - nanos) * 1e9;
    }
}
