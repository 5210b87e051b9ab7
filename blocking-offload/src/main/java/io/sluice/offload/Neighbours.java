package io.sluice.offload;

import java.util.concurrent.TimeUnit;

/** Tells whether a pool has had tasks of more than one client within the last minute. Not thread-safe. */
final class Neighbours {
    private static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Null before the first. */
    private ClientNetwork latest;
    private long latestNanos;
    private boolean any;
    private long changedNanos;

    /**
     * Notes that a client has a task.
     *
     * @param client null for the gateway itself, which is nobody's neighbour
     */
    void arrived(ClientNetwork client, long nowNanos) {
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

    /** Tells whether there was more than one when the latest task arrived. */
    boolean any() {
        return any;
    }
}
