package io.sluice.gateway;

import io.sluice.gateway.tunnel.DrainableSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the resources of former sites, each as soon as nothing can use it any more. Those of one reload are
 * closed in their order, so that tunnels keep their pool until they are closed; open tunnels also keep the
 * resources of later reloads. Thread-safe.
 */
final class Retirement implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);

    private final List<Deque<Resource<?>>> waiting = new ArrayList<>();

    /** Adds the resources of a reload, in the order in which to close them. */
    synchronized void add(List<Resource<?>> resources) {
        waiting.add(new ArrayDeque<>(resources));
    }

    /** Closes the resources that are no longer used; returns whether any remain. */
    synchronized boolean closeUnused() {
        boolean tunnelsAreOpen = false; // of an earlier reload
        for (Deque<Resource<?>> reload : waiting) {
            while (!reload.isEmpty() && reload.peek().isUnused()
                    && (!tunnelsAreOpen || reload.peek().object() instanceof DrainableSet)) {
                close(reload.remove());
            }
            tunnelsAreOpen |= reload.stream().anyMatch(Retirement::hasOpenTunnels);
        }
        waiting.removeIf(Deque::isEmpty);
        return !waiting.isEmpty();
    }

    private static boolean hasOpenTunnels(Resource<?> resource) {
        return resource.object() instanceof DrainableSet tunnels && tunnels.count() > 0;
    }

    /** Closes all remaining resources, used or not. */
    @Override
    public synchronized void close() {
        waiting.forEach(Retirement::closeAll);
        waiting.clear();
    }

    /** Closes resources in this order, used or not. */
    static void closeAll(Iterable<? extends Resource<?>> resources) {
        resources.forEach(Retirement::close);
    }

    private static void close(Resource<?> resource) {
        try {
            resource.close();
        } catch (Throwable e) { // still close the other resources
            log.warn("{} could not be closed", resource.object().getClass().getSimpleName(), e);
        }
    }
}
