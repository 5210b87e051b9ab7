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
    /** The files that a worker needs: for a connection to a database, a child's pipes, or directories. */
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

    /** Returns the number of files that a gateway may open in addition to the connections of clients. */
    private static long besidesConnections(GatewayConfig config) {
        long workers = config.offload().pools().values().stream().mapToLong(PoolConfig::workers).sum();
        long sources = config.topics().values().stream().filter(set -> set.source().isPresent()).count();
        boolean answers = config.routes().values().stream()
                .anyMatch(route -> route.handler() instanceof HandlerConfig.Files);
        return workers * FILES_OF_A_WORKER + sources * FILES_OF_A_SOURCE
                + (answers ? forAnswers() : 0);
    }

    /**
     * Returns the number of files that may still be opened, less a reserve of a tenth of the limit: without a
     * free file descriptor, not even a class can be loaded. {@code Long.MAX_VALUE} if it is unknown.
     */
    public static long free() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return Long.MAX_VALUE;
        }
        long limit = unix.getMaxFileDescriptorCount();
        return limit - unix.getOpenFileDescriptorCount() - Math.clamp(limit / 10, SPARE, MAX_SPARE);
    }

    /** Returns the number of connections that free files allow, if the gateway opens all others it may. */
    public static int roomForConnections(long free, GatewayConfig config) {
        return Math.clamp(free - besidesConnections(config), 1, Integer.MAX_VALUE);
    }
}
