package io.sluice.gateway.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of the gateway that have started, which are closed in the reverse order. Thread-safe. */
public final class StartedParts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StartedParts.class);

    /** The latest first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private boolean closed;

    /**
     * Adds a part that has just started.
     *
     * @throws IllegalStateException if the others have been closed; then this part is closed, too
     */
    public <T extends AutoCloseable> T add(T part) {
        if (push(part)) {
            return part;
        }
        close(part);
        throw new IllegalStateException("the gateway has stopped");
    }

    private synchronized boolean push(AutoCloseable part) {
        if (!closed) {
            started.push(part);
        }
        return !closed;
    }

    /** Returns whether {@link #close} was called. */
    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        for (AutoCloseable part = pop(); part != null; part = pop()) {
            close(part);
        }
    }

    private synchronized @Nullable AutoCloseable pop() {
        closed = true;
        return started.poll();
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Throwable e) { // still close the other parts
            log.warn("{} could not be stopped", part.getClass().getSimpleName(), e);
        }
    }
}
