package io.sluice.loadtest.experiments.nodes;

import java.util.Locale;

/** A part that is killed (SIGKILL), and started again 2 s later. */
enum NodeFault {
    /** Nothing happens. */
    NOTHING(_ -> { }, _ -> { }),
    /** One of three gateways. */
    NODE_KILLED(Nodes::killNode, Nodes::restartNode),
    /** Redis, which has written each command to a file. */
    REDIS_KILLED(nodes -> nodes.redis().kill(), nodes -> nodes.redis().restart()),
    /** Redis, whose file is lost. */
    REDIS_KILLED_AND_EMPTY(nodes -> nodes.redis().kill(), nodes -> nodes.redis().restartEmpty()),
    /** All processes of PostgreSQL. */
    POSTGRESQL_KILLED(nodes -> nodes.database().kill(), nodes -> nodes.database().restart());

    private final Step inject;
    private final Step mend;

    NodeFault(Step inject, Step mend) {
        this.inject = inject;
        this.mend = mend;
    }

    /** An action on the nodes. */
    @FunctionalInterface
    private interface Step {
        void apply(Nodes nodes) throws Exception;
    }

    /** Kills the part. */
    void inject(Nodes nodes) throws Exception {
        inject.apply(nodes);
    }

    /** Starts the part again; blocks until it serves. */
    void mend(Nodes nodes) throws Exception {
        mend.apply(nodes);
    }

    /**
     * Whether Redis forgets the keys of messages, so that a publisher that repeats one without an answer
     * doubles it.
     */
    boolean forgetsKeys() {
        return this == REDIS_KILLED_AND_EMPTY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ')
                .replace("redis", "Redis").replace("postgresql", "PostgreSQL");
    }
}
