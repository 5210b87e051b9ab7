package io.sluice.gateway.lifecycle;

import io.sluice.offload.jdbc.Database;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Whether requests should be sent here: started, not draining, and every database reachable. */
public final class Health {
    private final Supplier<Map<String, Database>> databases;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile State state = State.STARTING;

    /** Where the gateway is in its life. */
    public enum State { STARTING, SERVING, DRAINING }

    /** Health of a gateway that needs the current databases. */
    public Health(Supplier<Map<String, Database>> databases) {
        this.databases = databases;
    }

    /** Enters the next part of life; none follows a later one. */
    public synchronized void enter(State next) {
        if (next.compareTo(state) > 0) {
            state = next;
            started.countDown();
        }
    }

    /** Blocks until it has started, or is interrupted. */
    public void awaitServing() {
        try {
            started.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the gateway is. */
    public State state() {
        return state;
    }

    /** Each database and whether it answered when it was asked last. */
    public Map<String, Boolean> databases() {
        var reachable = new TreeMap<String, Boolean>();
        databases.get().forEach((name, database) -> reachable.put(name, database.reachable()));
        return reachable;
    }

    /** Whether a load balancer should send requests. */
    public boolean ready() {
        return state == State.SERVING && !databases().containsValue(false);
    }
}
