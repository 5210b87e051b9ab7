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
    /** The limit of a hostile test, which no pace raises. */
    private static final Duration MOST = Duration.ofMillis(10);
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

    /** Returns a limit for the present pace. A limit below 10 ms may be raised, up to that. */
    static Duration adapt(Duration limit) {
        if (limit.compareTo(MOST) >= 0) {
            return limit;
        }
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < REPETITIONS; i++) {
            work();
        }
        double pace = (THREADS.getCurrentThreadCpuTime() - begin) / (double) (REPETITIONS * BEST_NANOS);
        return Duration.ofNanos(Math.clamp((long) (limit.toNanos() * pace), limit.toNanos(), MOST.toNanos()));
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
