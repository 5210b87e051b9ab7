package io.sluice.gateway.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The files that this process may open; connections are some. */
public final class OpenFiles {
    /** At the least, for what nobody foresees. */
    private static final long SPARE = 32;
    private static final long MOST_SPARE = 1000;
    private static final int FEWEST_FOR_ANSWERS = 16;
    private static final int MOST_FOR_ANSWERS = 65_536;

    private OpenFiles() {
    }

    /** How many may be open at once; {@code Long.MAX_VALUE} where nobody says. */
    public static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
    }

    /** How many of them answers may hold open: a quarter. */
    public static int forAnswers() {
        return Math.clamp(limit() / 4, FEWEST_FOR_ANSWERS, MOST_FOR_ANSWERS);
    }

    /**
     * How many connections there is room for beside what is open now, what else may be opened, and a tenth:
     * where no file can be opened, not even a class can be loaded.
     *
     * @param others files that may be opened, and are not connections
     */
    public static int roomForConnections(int others) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return Integer.MAX_VALUE;
        }
        long limit = unix.getMaxFileDescriptorCount();
        long taken = unix.getOpenFileDescriptorCount() + others + Math.clamp(limit / 10, SPARE, MOST_SPARE);
        return Math.clamp(limit - taken, 1, Integer.MAX_VALUE);
    }
}
