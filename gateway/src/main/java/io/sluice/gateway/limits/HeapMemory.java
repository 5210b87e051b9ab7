package io.sluice.gateway.limits;

import io.netty.util.concurrent.Ticker;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of the JVM, and whether it is running out: nine tenths of the old generation are in use after a
 * collection. While it is short, new requests are refused.
 *
 * <p>The JVM collects the old generation when it is full, and the rest of the heap may be so, too. Hence it
 * is collected before, when half of what the last collection left has been used. Above 512 MiB this is left
 * to the JVM, since the pause would be long. While the heap is short, it is collected from time to time, to
 * find out that there is room again.
 */
public final class HeapMemory {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** The divisor of the time in which collections may run: 10 for a tenth. */
    private static final int PART = 10;
    private static final double SHORT = 0.9;
    /** The part of the old generation below which it is left to the JVM to collect it. */
    private static final double MUCH = 0.75;
    /** The largest old generation, in bytes, that is collected before the JVM does so. */
    private static final long SMALL = 512 << 20;
    private static final HeapMemory OF_PROCESS = ofProcess(ManagementFactory.getMemoryPoolMXBeans());

    private final Supplier<@Nullable MemoryUsage> usage;
    private final Supplier<@Nullable MemoryUsage> afterCollection;
    private final Runnable collect;
    private final Ticker clock;
    private volatile boolean runningOut;
    /** The time of the next collection, if it is needed. */
    private volatile long collectNanos;
    private volatile boolean collecting;

    /**
     * A heap with the given measurements.
     *
     * @param usage returns the use of the old generation
     * @param afterCollection returns the use of the old generation at the end of its last collection; null if
     *     unknown
     * @param collect collects the old generation; blocks
     */
    HeapMemory(Supplier<@Nullable MemoryUsage> usage, Supplier<@Nullable MemoryUsage> afterCollection,
               Runnable collect, Ticker clock) {
        this.usage = usage;
        this.afterCollection = afterCollection;
        this.collect = collect;
        this.clock = clock;
        collectNanos = clock.nanoTime();
    }

    private static HeapMemory ofProcess(List<MemoryPoolMXBean> pools) {
        // Without explicit collections nobody would find out that there is room again.
        boolean collects = !ManagementFactory.getRuntimeMXBean().getInputArguments()
                .contains("-XX:+DisableExplicitGC");
        for (MemoryPoolMXBean pool : pools) {
            // Of the pools of all collectors, this includes the old generation only.
            if (collects && pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported()
                    && pool.isCollectionUsageThresholdSupported()) {
                return new HeapMemory(pool::getUsage, pool::getCollectionUsage, System::gc,
                        Ticker.systemTicker());
            }
        }
        return new HeapMemory(() -> null, () -> null, () -> { }, Ticker.systemTicker());
    }

    /** Returns the heap of this JVM. */
    static HeapMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Returns whether the heap was so short at the last check that new work must be rejected. Any thread. */
    public static boolean isShort() {
        return OF_PROCESS.runningOut;
    }

    /** Returns how much of the old generation was in use after its last collection, for the log. */
    String figures() {
        MemoryUsage after = afterCollection.get();
        return after == null ? "much" : (after.getUsed() >> 20) + " of " + (after.getMax() >> 20) + " MiB";
    }

    /** Checks whether the heap is running out. Called by one thread. */
    boolean check() {
        MemoryUsage now = usage.get();
        MemoryUsage after = afterCollection.get();
        if (now == null || after == null || now.getMax() <= 0) {
            return false;
        }
        long max = now.getMax();
        runningOut = after.getUsed() >= SHORT * max;
        boolean isUsed = now.getUsed() >= MUCH * max && now.getUsed() >= after.getUsed() / 2 + max / 2;
        if ((runningOut || isUsed && max <= SMALL) && !collecting && clock.nanoTime() - collectNanos >= 0) {
            beginCollection();
        }
        return runningOut;
    }

    private void beginCollection() {
        collecting = true;
        try {
            Thread.startVirtualThread(this::collect);
        } catch (Throwable _) {
            collecting = false; // no thread is left for it: the next check tries again
        }
    }

    private void collect() {
        long begun = clock.nanoTime();
        try {
            collect.run();
        } finally {
            long now = clock.nanoTime();
            collectNanos = now + Math.max(runningOut ? PERIOD_NANOS : 0, PART * (now - begun));
            collecting = false;
        }
    }
}
