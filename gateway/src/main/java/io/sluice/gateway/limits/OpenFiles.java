package io.sluice.gateway.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import java.lang.management.ManagementFactory;

/** The limit of open files of this process, connections included. */
public final class OpenFiles {
    /** The smallest and the largest reserve for files that are not accounted for. */
    private static final long SPARE = 32;
    private static final long MAX_SPARE = 1000;
    /** The files that a worker needs: for a connection to a database, or the pipes of a child process. */
    private static final int FILES_OF_A_WORKER = 4;
    /** The files that a source needs, for its connections to a database. */
    private static final int FILES_OF_A_SOURCE = 2;
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

    /** Returns the number of files that a gateway may open besides the connections of clients. */
    public static int besidesConnections(GatewayConfig config) {
        int workers = config.offload().pools().values().stream().mapToInt(PoolConfig::workers).sum();
        long sources = config.topics().values().stream().filter(set -> set.source().isPresent()).count();
        boolean answers = config.routes().values().stream()
                .anyMatch(route -> route.handler() instanceof HandlerConfig.Files);
        return workers * FILES_OF_A_WORKER + (int) sources * FILES_OF_A_SOURCE
                + (answers ? forAnswers() : 0);
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
