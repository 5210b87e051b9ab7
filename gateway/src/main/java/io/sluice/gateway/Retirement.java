package io.sluice.gateway;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes resources that no site has any more, each when nothing can use it any more: those of one reload in
 * their order, so that WebSockets which are still to be closed have their pool until then. Thread-safe.
 */
final class Retirement implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);

    private final List<Deque<Resource<?>>> waiting = new ArrayList<>();

    /** Adds the resources of a reload, in the order in which they are to be closed. */
    synchronized void add(List<Resource<?>> resources) {
        waiting.add(new ArrayDeque<>(resources));
    }

    /** Closes those that are not used any more; says whether any are left. */
    synchronized boolean closeUnused() {
        for (Deque<Resource<?>> reload : waiting) {
            while (!reload.isEmpty() && reload.peek().isUnused()) {
                close(reload.remove());
            }
        }
        waiting.removeIf(Deque::isEmpty);
        return !waiting.isEmpty();
    }

    /** Closes all that are left, used or not. */
    @Override
    public synchronized void close() {
        waiting.forEach(Retirement::closeAll);
        waiting.clear();
    }

    /** Closes resources whether they are used or not, in this order. */
    static void closeAll(Iterable<? extends Resource<?>> resources) {
        resources.forEach(Retirement::close);
    }

    private static void close(Resource<?> resource) {
        try {
            resource.close();
        } catch (Throwable e) { // the others are closed all the same
            log.warn("a resource did not close as it should", e);
        }
    }
}
