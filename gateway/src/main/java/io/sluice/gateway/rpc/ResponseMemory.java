package io.sluice.gateway.rpc;

import io.sluice.gateway.limits.DirectMemory;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of responses that one WebSocket holds, collected or waiting to be sent. Beyond a limit, streamed
 * responses wait. Only if no response is complete, one of them goes on, as none could be sent otherwise.
 * Thread-safe.
 */
final class ResponseMemory {
    private static final long MOST = 4 << 20;
    /** The divisor of direct memory: one socket may hold a sixteenth, if that is less than {@link #MOST}. */
    private static final int PART = 16;
    /** The multiple of the limit beyond which not even a whole response is taken. */
    private static final int OVER = 4;

    private final long limit;
    private final Runnable onRelease;
    /** The streams that were told to wait. */
    private final Set<CollectedStream> waiting = new LinkedHashSet<>(0);
    /** The stream that goes on beyond the limit; null if there is none. */
    private @Nullable CollectedStream first;
    private long bytes;
    private int complete;

    /**
     * The memory of a socket.
     *
     * @param onRelease is called when a response that waits for memory may go on; any thread
     */
    ResponseMemory(Runnable onRelease) {
        limit = Math.min(MOST, DirectMemory.ofProcess().limit() / PART);
        this.onRelease = onRelease;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized boolean isFull() {
        return bytes >= limit;
    }

    /** Returns whether further responses must be refused, as they cannot wait. */
    synchronized boolean isOver() {
        return bytes >= OVER * limit;
    }

    /** Counts bytes of a response that is being collected; negative if they are released. */
    void collected(long more) {
        count(more, 0);
    }

    /** Counts a complete response. */
    void hold(long length) {
        count(length, 1);
    }

    /** Ends the count of a complete response. */
    void release(long length) {
        count(-length, -1);
    }

    private synchronized void count(long moreBytes, int moreComplete) {
        boolean waited = isFull() || !waiting.isEmpty();
        bytes += moreBytes;
        complete += moreComplete;
        if (waited && (moreBytes < 0 || moreComplete < 0)) {
            onRelease.run();
        }
    }

    /** Returns whether a stream may be written to; if not, it is one of {@link #next()} later. */
    synchronized boolean admits(CollectedStream stream) {
        if (!DirectMemory.isShort() && (!isFull() || goesOn(stream))) {
            waiting.remove(stream);
            return true;
        }
        waiting.add(stream);
        return false;
    }

    /** Returns whether a stream may go on beyond the limit. */
    private boolean goesOn(CollectedStream stream) {
        if (first == null && complete == 0) {
            first = stream;
        }
        return first == stream && complete == 0;
    }

    /** Returns whether a stream was told to wait, and still has to. */
    synchronized boolean delays(CollectedStream stream) {
        return waiting.contains(stream);
    }

    /** Returns the next stream that waits and may go on now; null if there is none. */
    synchronized @Nullable CollectedStream next() {
        if (waiting.isEmpty() || DirectMemory.isShort()) {
            return null;
        }
        CollectedStream next = !isFull() || first == null ? waiting.iterator().next() : first;
        if (isFull() && !goesOn(next)) {
            return null;
        }
        return waiting.remove(next) ? next : null;
    }

    /** Counts the bytes of a stream as a complete response. */
    synchronized void ended(CollectedStream stream) {
        left(stream);
        complete++;
    }

    /** Forgets a stream, which is closed. */
    synchronized void left(CollectedStream stream) {
        waiting.remove(stream);
        if (first == stream) {
            first = null;
            if (!waiting.isEmpty()) {
                onRelease.run();
            }
        }
    }
}
