package io.sluice.gateway;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * The pace of this machine, for limits of CPU time. The same work may take twice the CPU time at one time as
 * at another: processors share their units and caches with whatever else runs on the host.
 */
final class MachinePace {
    /** The CPU time of the work on the machine that the limits are written for, at its best. */
    private static final long BEST_NANOS = 1_000_000;
    /** A machine that is slower still needs other limits. */
    private static final double MOST = 2;
    private static final int REPETITIONS = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final byte[] TEXT = new byte[512 << 10];
    private static final byte[] ESCAPED = new byte[2 * TEXT.length];
    private static volatile int result;

    static {
        for (int i = 0; i < 4 * REPETITIONS; i++) {
            work(); // until it is compiled
        }
    }

    private MachinePace() {
    }

    /** Returns a limit for the present pace: at least the given one, and at most twice that. */
    static Duration adapt(Duration limit) {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < REPETITIONS; i++) {
            work();
        }
        double pace = (THREADS.getCurrentThreadCpuTime() - begin) / (double) (REPETITIONS * BEST_NANOS);
        return Duration.ofNanos((long) (limit.toNanos() * Math.clamp(pace, 1, MOST)));
    }

    /** Escapes half a MiB, byte by byte. */
    private static void work() {
        int length = 0;
        for (int i = 0; i < TEXT.length; i++) {
            TEXT[i] = (byte) (i * 31 >> 3);
        }
        for (byte each : TEXT) {
            if (each < ' ') {
                ESCAPED[length++] = '\\';
            }
            ESCAPED[length++] = each;
        }
        result = ESCAPED[length / 2];
    }
}
