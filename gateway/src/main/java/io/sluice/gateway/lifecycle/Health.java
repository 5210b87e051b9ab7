package io.sluice.gateway.lifecycle;

import io.sluice.offload.Database;
import java.util.Map;
import java.util.TreeMap;

/** Whether requests should be sent here: started, not draining, and every database reachable. */
public final class Health {
    private final Map<String, Database> databases;
    private volatile State state = State.STARTING;

    /** Where the gateway is in its life. */
    public enum State { STARTING, SERVING, DRAINING }

    /** Watches these. */
    public Health(Map<String, Database> databases) {
        this.databases = databases;
    }

    /** Enters the next part of life. */
    public void enter(State next) {
        state = next;
    }

    /** Where the gateway is. */
    public State state() {
        return state;
    }

    /** Each database and whether it answered when it was asked last. */
    public Map<String, Boolean> databases() {
        var reachable = new TreeMap<String, Boolean>();
        databases.forEach((name, database) -> reachable.put(name, database.reachable()));
        return reachable;
    }

    /** Whether a load balancer should send requests. */
    public boolean ready() {
        return state == State.SERVING && !databases().containsValue(false);
    }
}
