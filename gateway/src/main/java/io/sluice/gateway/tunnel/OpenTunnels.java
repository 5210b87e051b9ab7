package io.sluice.gateway.tunnel;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The open tunnels of a route, and its exchanges and subscriptions without an end of their own. Like those,
 * it survives reloads that keep the route. Thread-safe.
 */
public final class OpenTunnels {
    private final Set<Drained> open = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    /** A tunnel, or a response without an end, that can be drained. */
    interface Drained {

        /** Drains it after a delay. Any thread. */
        void drainAfter(long nanos);
    }

    /** An exchange or a subscription, which calls an action on its event loop when it should end. */
    public static final class Lasting implements Drained {
        private final EventExecutor loop;
        private final Runnable action;

        /** Creates one that is not registered. */
        public Lasting(EventExecutor loop, Runnable action) {
            this.loop = loop;
            this.action = action;
        }

        @Override
        public void drainAfter(long nanos) {
            loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Returns how many tunnels are open, with those that are about to be opened. */
    public int count() {
        return open.size();
    }

    /**
     * Drains all tunnels; returns without waiting for that. Tunnels that are opened later are drained at
     * once.
     *
     * @param window over which the drains are spread, so that the clients do not all reconnect at the same
     *     time
     */
    public void drain(Duration window) {
        draining = true;
        drain(List.copyOf(open), window);
    }

    /** Drains all but the tunnels, as {@link #drain} does: the gateway drains, and tells those itself. */
    public void drainExchanges(Duration window) {
        draining = true;
        drain(open.stream().filter(Lasting.class::isInstance).toList(), window);
    }

    private static void drain(List<Drained> all, Duration window) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).drainAfter(window.toNanos() / all.size() * i);
        }
    }

    /** Adds one, which is drained at once if the others were. */
    public void add(Lasting one) {
        add((Drained) one);
    }

    /** Removes one that has ended. */
    public void remove(Lasting one) {
        open.remove(one);
    }

    void add(Drained one) {
        open.add(one);
        if (draining) { // its request began before the drain
            one.drainAfter(0);
        }
    }

    void remove(Drained one) {
        open.remove(one);
    }
}
