package io.sluice.gateway.tunnel;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.peer.Credential;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The open tunnels of a route, and its exchanges and subscriptions without an end of their own. The set
 * survives reloads that keep the route, as they do. Thread-safe.
 */
public final class DrainableSet {
    private final Set<Drainable> open = ConcurrentHashMap.newKeySet();
    /** Responses without an end of their own that an upstream ends: they lose their access only. */
    private final Set<EndlessExchange> relayed = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;
    private volatile Predicate<Credential> access = _ -> true;

    /** A tunnel, or a response without an end, that can be drained. */
    interface Drainable {

        /** Drains it after a delay. Any thread. */
        void drainAfter(long nanos);

        /** Returns the credential of the request that has opened it. Any thread. */
        Credential credential();
    }

    /** An exchange or a subscription, which calls an action on its event loop when it should end. */
    public static final class EndlessExchange implements Drainable {
        private final EventExecutor loop;
        private final Credential credential;
        private final Runnable action;

        /** Creates one that is not registered. */
        public EndlessExchange(EventExecutor loop, Credential credential, Runnable action) {
            this.loop = loop;
            this.credential = credential;
            this.action = action;
        }

        @Override
        public Credential credential() {
            return credential;
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
    public void drainEndlessExchanges(Duration window) {
        draining = true;
        drain(open.stream().filter(EndlessExchange.class::isInstance).toList(), window);
    }

    /** Returns how many are open, by the credentials of the requests that have opened them. */
    public Map<Credential, Integer> countByCredential() {
        var counts = new HashMap<Credential, Integer>();
        open.forEach(one -> counts.merge(one.credential(), 1, Integer::sum));
        return counts;
    }

    /** Returns how many are open whose callers do not have this access. */
    public int countWithout(Predicate<Credential> required) {
        return without(required).size();
    }

    private List<Drainable> without(Predicate<Credential> required) {
        return open.stream().filter(one -> !required.test(one.credential())).toList();
    }

    /**
     * Drains those whose callers do not have this access any more, as {@link #drain} does. Those that are
     * opened later without it are drained at once: their requests began before.
     */
    public void requireAccess(Predicate<Credential> required, Duration window) {
        access = required;
        drain(without(required), window);
        relayed.stream().filter(one -> !required.test(one.credential())).forEach(one -> one.drainAfter(0));
    }

    /** Returns whether a credential has the access that was required last. */
    boolean admits(Credential credential) {
        return access.test(credential);
    }

    private static void drain(List<Drainable> all, Duration window) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).drainAfter(window.toNanos() / all.size() * i);
        }
    }

    /** Adds one, which is drained at once if the others were. */
    public void add(EndlessExchange one) {
        add((Drainable) one);
    }

    /**
     * Adds a response of an upstream, which is served to its end by a gateway that drains and after reloads
     * but for those that revoke its access.
     */
    public void addRelayed(EndlessExchange one) {
        relayed.add(one);
        if (!admits(one.credential())) {
            one.drainAfter(0);
        }
    }

    /** Removes one that has ended. */
    public void remove(EndlessExchange one) {
        open.remove(one);
    }

    /** Removes a response of an upstream that has ended. */
    public void removeRelayed(EndlessExchange one) {
        relayed.remove(one);
    }

    /** Returns whether there are responses of upstreams. */
    public boolean relays() {
        return !relayed.isEmpty();
    }

    void add(Drainable one) {
        open.add(one);
        if (draining || !admits(one.credential())) { // its request began before the drain
            one.drainAfter(0);
        }
    }

    void remove(Drainable one) {
        open.remove(one);
    }
}
