package io.sluice.offload;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Detects whether a pool has had tasks of several clients within the last minute. Not thread-safe. */
final class RecentClients {
    private static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The client of the latest task; null before the first. */
    private @Nullable ClientNetwork latest;
    private long latestNanos;
    private boolean any;
    private long changedNanos;

    /**
     * Records a task of a client.
     *
     * @param client null for the gateway itself, which is not counted
     */
    void arrived(@Nullable ClientNetwork client, long nowNanos) {
        if (client != null && !client.equals(latest)) {
            any = latest != null && nowNanos - latestNanos < MEMORY_NANOS;
            changedNanos = nowNanos;
            latest = client;
        } else {
            any = any && nowNanos - changedNanos < MEMORY_NANOS;
        }
        if (client != null) {
            latestNanos = nowNanos;
        }
    }

    /** Returns whether there were several clients when the latest task arrived. */
    boolean any() {
        return any;
    }
}
