package io.sluice.handlers.files;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Files that are open between two pieces of an answer, or while the kernel sends one: so many at most. The
 * one that has waited longest for its client is closed in favour of the next, and any that has waited for a
 * second. Beside them each worker may have one open while it reads. Thread-safe; nothing is opened, read or
 * closed under its lock.
 */
public final class KeptFiles {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Files closed in one turn of an event loop. */
    private static final int TURN = 64;

    private final int limit;
    /** The one that has waited longest first; guarded by this, as what follows. */
    private final LinkedHashMap<ServedFile, Kept> waiting = new LinkedHashMap<>();
    private int lent;
    private boolean sweeping;

    private record Kept(OpenFile file, long since) {
    }

    /** Keeps at most so many, none yet. */
    public KeptFiles(int limit) {
        this.limit = limit;
    }

    /** How many there may be. */
    public int limit() {
        return limit;
    }

    /**
     * Keeps a file for its answer.
     *
     * @param file owned by this from here on, until it is taken
     * @param loop closes it when it has waited too long
     */
    void keep(ServedFile of, OpenFile file, EventExecutor loop) {
        List<OpenFile> tooMany = new ArrayList<>(1);
        try {
            synchronized (this) {
                Kept before = waiting.put(of, new Kept(file, loop.ticker().nanoTime()));
                if (before != null) {
                    tooMany.add(before.file);
                }
                if (waiting.size() + lent > limit) {
                    tooMany.add(waiting.pollFirstEntry().getValue().file);
                }
                if (!sweeping) {
                    sweepLater(loop, LONGEST_NANOS);
                }
            }
        } finally {
            tooMany.forEach(OpenFile::close);
        }
    }

    /** Guarded by this; where the loop takes no more tasks, the next file is swept by another. */
    private void sweepLater(EventExecutor loop, long nanos) {
        sweeping = false;
        loop.schedule(() -> sweep(loop), nanos, TimeUnit.NANOSECONDS);
        sweeping = true;
    }

    /** Takes what is kept for an answer, which is the caller's then; null where it has been closed. */
    synchronized OpenFile take(ServedFile of) {
        Kept kept = waiting.remove(of);
        return kept == null ? null : kept.file;
    }

    /**
     * Takes what is kept for an answer, for the kernel to send a piece of. That cannot be closed before the
     * client has taken the piece: the kernel gets half of all files, so that slow clients leave the others.
     *
     * @return null where it has been closed, or the kernel has enough
     */
    synchronized OpenFile lend(ServedFile of) {
        OpenFile file = lent < limit / 2 ? take(of) : null;
        if (file != null) {
            lent++;
        }
        return file;
    }

    /** One that was lent has come back, and is the caller's. */
    synchronized void returned() {
        lent--;
    }

    private void sweep(EventExecutor loop) {
        List<OpenFile> idle = new ArrayList<>();
        try {
            synchronized (this) {
                sweeping = false;
                long now = loop.ticker().nanoTime();
                while (idle.size() < TURN && !waiting.isEmpty()
                        && now - waiting.firstEntry().getValue().since >= LONGEST_NANOS) {
                    idle.add(waiting.pollFirstEntry().getValue().file);
                }
                if (!waiting.isEmpty()) {
                    sweepLater(loop, idle.size() < TURN ? LONGEST_NANOS : 0);
                }
            }
        } finally {
            idle.forEach(OpenFile::close);
        }
    }
}
