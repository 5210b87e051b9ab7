package io.sluice.gateway.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The limit of open files of this process, connections included. */
public final class OpenFiles {
    /** The smallest and the largest reserve for files that are not accounted for. */
    private static final long SPARE = 32;
    private static final long MAX_SPARE = 1000;
    private static final int MIN_FOR_ANSWERS = 16;
    private static final int MAX_FOR_ANSWERS = 65_536;

    private OpenFiles() {
    }

    /** Returns the number of files that may be open at once; {@code Long.MAX_VALUE} if it is unknown. */
    public static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
    }

    /** Returns the number of files that responses may hold open: a quarter of the limit. */
    public static int forAnswers() {
        return Math.clamp(limit() / 4, MIN_FOR_ANSWERS, MAX_FOR_ANSWERS);
    }

    /**
     * The number of connections for which there is room beside the files that are open now, other files, and
     * a reserve of a tenth: without a free file descriptor, not even a class can be loaded.
     *
     * @param others files other than connections that may be opened
     */
    public static int roomForConnections(int others) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return Integer.MAX_VALUE;
        }
        long limit = unix.getMaxFileDescriptorCount();
        long taken = unix.getOpenFileDescriptorCount() + others + Math.clamp(limit / 10, SPARE, MAX_SPARE);
        return Math.clamp(limit - taken, 1, Integer.MAX_VALUE);
    }
}
