package io.sluice.gateway;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes resources that no site has any more, each when nothing can use it any more. Thread-safe. */
final class Retirement implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);

    private final Deque<Resource<?>> waiting = new ArrayDeque<>();

    /** Adds resources, in the order in which they are to be closed. */
    synchronized void add(List<Resource<?>> resources) {
        waiting.addAll(resources);
    }

    /** Closes those that are not used any more; says whether any are left. */
    synchronized boolean closeUnused() {
        for (Iterator<Resource<?>> each = waiting.iterator(); each.hasNext();) {
            Resource<?> resource = each.next();
            if (resource.isUnused()) {
                each.remove();
                close(resource);
            }
        }
        return !waiting.isEmpty();
    }

    /** Closes all that are left, used or not. */
    @Override
    public synchronized void close() {
        closeAll(waiting);
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
