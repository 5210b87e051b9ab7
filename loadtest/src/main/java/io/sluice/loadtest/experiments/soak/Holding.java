package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.server.ServerProcess;
import java.io.IOException;

/**
 * The resources that a gateway holds at one moment.
 *
 * @param ordeal the attack or fault that had just ended
 * @param hours since the beginning
 * @param heap after a full collection, in bytes
 * @param direct memory that its buffers hold, in bytes
 * @param reserved direct memory that the buffer pool has reserved for them, in bytes
 */
record Holding(String ordeal, double hours, double heap, double direct, double reserved, double descriptors,
               double threads) {

    /**
     * Makes the gateway collect its garbage, and measures; blocks.
     *
     * @throws IOException if the gateway does not respond
     */
    static Holding of(ServerProcess gateway, String ordeal, double hours)
            throws IOException, InterruptedException {
        if (!gateway.collectGarbage()) {
            throw new IOException("no jcmd, or it failed (expected: a JDK)");
        }
        var metrics = gateway.metrics();
        return new Holding(ordeal, hours, metrics.sum("jvm_memory_used_bytes{area=\"heap\""),
                metrics.sum("sluice_direct_memory_used_bytes"),
                metrics.sum("sluice_direct_memory_reserved_bytes"), gateway.openDescriptors(),
                gateway.threads());
    }
}
