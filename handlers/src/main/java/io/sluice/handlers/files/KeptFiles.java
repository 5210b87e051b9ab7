package io.sluice.handlers.files;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files that stay open between two pieces of a response, or while the kernel sends one, up to a limit.
 * The file that has waited longest for its client is closed in favour of a new one, and any that has waited
 * for a second. Besides them each worker may have one open while it reads. Thread-safe; no file is opened,
 * read or closed under the lock.
 */
public final class KeptFiles {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The number of files closed in one turn of an event loop. */
    private static final int TURN = 64;

    private final int limit;
    /** Waiting files, the oldest first; guarded by this, like the fields below. */
    private final LinkedHashMap<ServedFile, Kept> waiting = new LinkedHashMap<>();
    private int lent;
    private boolean sweeping;

    private record Kept(OpenFile file, long since) {
    }

    /** Creates an empty set. */
    public KeptFiles(int limit) {
        this.limit = limit;
    }

    /**
     * Keeps a file for its response.
     *
     * @param file owned by this set from here on, until it is taken
     * @param loop the event loop that closes it when it has waited too long
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
                    sweepLater(loop, MAX_NANOS);
                }
            }
        } finally {
            tooMany.forEach(OpenFile::close);
        }
    }

    /** Guarded by this. If the loop has shut down, the next kept file schedules a sweep on its own loop. */
    private void sweepLater(EventExecutor loop, long nanos) {
        sweeping = false;
        loop.schedule(() -> sweep(loop), nanos, TimeUnit.NANOSECONDS);
        sweeping = true;
    }

    /** Takes the file of a response, which the caller owns then; null if it has been closed. */
    synchronized @Nullable OpenFile take(ServedFile of) {
        Kept kept = waiting.remove(of);
        return kept == null ? null : kept.file;
    }

    /**
     * Takes the file of a response, for the kernel to send a piece. Such a file cannot be closed until the
     * client has taken the piece, so the kernel gets half of the files at most, and slow clients leave the
     * others.
     *
     * @return null if the file has been closed, or the kernel has half of all
     */
    synchronized @Nullable OpenFile lend(ServedFile of) {
        OpenFile file = lent < limit / 2 ? take(of) : null;
        if (file != null) {
            lent++;
        }
        return file;
    }

    /** Records that a lent file has come back; the caller owns it. */
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
                        && now - waiting.firstEntry().getValue().since >= MAX_NANOS) {
                    idle.add(waiting.pollFirstEntry().getValue().file);
                }
                if (!waiting.isEmpty()) {
                    sweepLater(loop, idle.size() < TURN ? MAX_NANOS : 0);
                }
            }
        } finally {
            idle.forEach(OpenFile::close);
        }
    }
}
