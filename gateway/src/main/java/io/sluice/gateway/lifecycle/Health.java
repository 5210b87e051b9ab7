package io.sluice.gateway.lifecycle;

import io.sluice.offload.jdbc.Database;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Readiness: started, not draining, and every database reachable that affects it. Thread-safe. */
public final class Health {
    private final Supplier<Map<String, Database>> databases;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile State state = State.STARTING;

    /** The phases of the gateway's life. */
    public enum State { STARTING, SERVING, DRAINING }

    /** Creates the health of a gateway that depends on the current databases. */
    public Health(Supplier<Map<String, Database>> databases) {
        this.databases = databases;
    }

    /** Enters a later phase; no effect if that is the current phase or an earlier one. */
    public synchronized void enter(State next) {
        if (next.compareTo(state) > 0) {
            state = next;
            started.countDown();
        }
    }

    /** Blocks until the gateway has started or the thread is interrupted. */
    public void awaitServing() {
        try {
            started.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the current phase. */
    public State state() {
        return state;
    }

    /** Each database, and whether it was reachable when it was last checked. */
    public Map<String, Boolean> databases() {
        var reachable = new TreeMap<String, Boolean>();
        databases.get().forEach((name, database) -> reachable.put(name, database.reachable()));
        return reachable;
    }

    /** Returns whether load balancers should send requests to this gateway. */
    public boolean ready() {
        return state == State.SERVING && databases.get().values().stream()
                .allMatch(database -> database.reachable() || !database.affectsReadiness());
    }
}
