package io.sluice.handlers.topic;

import io.sluice.handlers.MemoryShare;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of all messages that the topics of this process keep. If it is used up, or the process needs it
 * for something else, the set with the most messages in bytes drops some. Thread-safe.
 */
public final class KeptMemory {
    static final KeptMemory OF_PROCESS = new KeptMemory(MemoryShare.EIGHTH);
    /** Less is not worth dropping the last messages one by one. */
    private static final long LEAST = 256 << 10;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    /** The sets that keep messages at present. */
    private final Set<KeptMessages> sets = ConcurrentHashMap.newKeySet();

    KeptMemory(long limit) {
        this.limit = limit;
    }

    /** Returns the memory of this process. */
    public static KeptMemory ofProcess() {
        return OF_PROCESS;
    }

    long limit() {
        return limit;
    }

    /** Counts bytes that a set keeps from here on, or no longer. Under its lock, behind its own count. */
    void count(KeptMessages set, long added) {
        bytes.addAndGet(added);
        if (set.bytes() > 0) {
            sets.add(set);
        } else {
            sets.remove(set);
        }
    }

    /** Drops messages beyond the limit. Not under a set's lock. */
    void trim() {
        dropTo(limit);
    }

    private void dropTo(long rest) {
        boolean more = true;
        while (more && bytes.get() > rest) {
            more = sets.stream().max(Comparator.comparingLong(KeptMessages::bytes))
                    .filter(KeptMessages::dropFirst).isPresent();
        }
    }

    /** Drops a few of the messages that have reached their age. Any thread; does not block. */
    public void dropOld() {
        sets.forEach(KeptMessages::dropOld);
    }

    /** Drops a quarter of all messages on another thread. Any thread; does not block. */
    public void giveWay() {
        long held = bytes.get();
        if (held > 0) {
            Thread.startVirtualThread(() -> dropTo(held - Math.max(held / 4, LEAST)));
        }
    }
}
