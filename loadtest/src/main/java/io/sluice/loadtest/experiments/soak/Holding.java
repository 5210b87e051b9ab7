package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.server.ServerProcess;
import java.io.IOException;

/**
 * What a gateway holds at one moment.
 *
 * @param ordeal that was over then
 * @param hours since the beginning
 * @param heap after a full collection, in bytes
 * @param direct memory that its buffers hold, in bytes
 * @param reserved direct memory that the buffers' pool has taken for them, in bytes
 */
record Holding(String ordeal, double hours, double heap, double direct, double reserved, double descriptors,
               double threads) {

    /**
     * Has the gateway collect its garbage, and asks; blocks meanwhile.
     *
     * @throws IOException where it does not answer
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
