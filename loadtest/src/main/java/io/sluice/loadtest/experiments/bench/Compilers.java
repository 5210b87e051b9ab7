package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.server.ServerProcess;
import java.io.IOException;
import java.time.Duration;

/** The compilers of a server's JVM, which make its code faster while it is under load. */
final class Compilers {

    private static final Duration LOOK = Duration.ofSeconds(3);
    /** Less than a fiftieth of a processor. */
    private static final Duration IDLE = LOOK.dividedBy(50);

    private Compilers() {}

    /**
     * Blocks until the compilers of a server under load have been idle for 3 s. A server that is no JVM has
     * none.
     *
     * @param limit the longest time to wait
     */
    static void awaitIdle(ServerProcess server, Duration limit) throws IOException, InterruptedException {
        var left = limit;
        var before = server.compilerTime();
        while (!before.isZero() && left.isPositive()) {
            Thread.sleep(LOOK); // the time for which they have to be idle
            var now = server.compilerTime();
            if (now.minus(before).compareTo(IDLE) < 0) {
                return;
            }
            before = now;
            left = left.minus(LOOK);
        }
    }
}
