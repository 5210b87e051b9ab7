package io.sluice.loadtest.experiments.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The limit of open files, which driver and server both inherit. */
public final class OpenFiles {

    /** Descriptors that a process of the JVM needs beside its sockets, generously. */
    private static final int BESIDE = 200;

    private OpenFiles() {}

    /**
     * Sees to it that driver and server can each hold so many sockets, and files.
     *
     * @throws IllegalStateException where the limit is too low
     */
    public static void need(int sockets) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < sockets + BESIDE) {
            throw new IllegalStateException("open files: %d (expected: at least %d, see ulimit -n)"
                    .formatted(system.getMaxFileDescriptorCount(), sockets + BESIDE));
        }
    }
}
