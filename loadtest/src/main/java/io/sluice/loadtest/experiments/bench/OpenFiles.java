package io.sluice.loadtest.experiments.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Checks the limit of open files, which driver and server both inherit. */
public final class OpenFiles {

    /** The descriptors that a JVM process needs besides its sockets, with a margin. */
    private static final int BESIDE = 200;

    private OpenFiles() {}

    /**
     * Checks that driver and server can each open this many sockets and files.
     *
     * @throws IllegalStateException if the limit is too low
     */
    public static void need(int sockets) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < sockets + BESIDE) {
            throw new IllegalStateException("open files: %d (expected: at least %d, see ulimit -n)"
                    .formatted(system.getMaxFileDescriptorCount(), sockets + BESIDE));
        }
    }
}
