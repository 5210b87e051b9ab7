package io.sluice.gateway.tunnel;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open tunnels of a route. Like its tunnels, it survives reloads that keep the route. Thread-safe. */
public final class OpenTunnels {
    private final Set<TunnelHandler> open = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

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
        List<TunnelHandler> all = List.copyOf(open);
        for (int i = 0; i < all.size(); i++) {
            all.get(i).drainAfter(window.toNanos() / all.size() * i);
        }
    }

    void add(TunnelHandler tunnel) {
        open.add(tunnel);
        if (draining) { // its request began before the drain
            tunnel.drainAfter(0);
        }
    }

    void remove(TunnelHandler tunnel) {
        open.remove(tunnel);
    }
}
