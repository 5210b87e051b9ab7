package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.faults.Faults;
import io.sluice.loadtest.experiments.hostile.Hostile;
import io.sluice.loadtest.experiments.nodes.FanOutNodes;
import io.sluice.loadtest.experiments.nodes.NodeFailures;
import io.sluice.loadtest.experiments.proxy.LargeBodies;
import io.sluice.loadtest.experiments.proxy.ProxyComparison;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.rows.RowComparison;
import io.sluice.loadtest.experiments.slow.SlowAttacks;
import io.sluice.loadtest.experiments.soak.Soak;
import java.util.Locale;

/** The available experiments. */
public enum Experiment {
    COLD_START(ColdStart::run, "from the start of the process to the first answers, beside bare Netty"),
    R4(SlowQuery::run, "a query of 20 ms, on event loops, pinned threads and pools"),
    MIXED(MixedRunTimes::run, "queries of 5 ms among queries of 200 ms, on pinned threads and pools"),
    ISOLATION(Isolation::run, "a route that blocks nowhere beside an overloaded one"),
    OVERLOAD(OverloadRamp::run, "from half of the capacity to ten times as much"),
    UPSTREAM_OVERLOAD(UpstreamOverload::run, "an upstream that gets ten times what its origin can handle"),
    UPSTREAM_SLOW_ENDPOINT(SlowEndpoint::run, "an upstream one of whose two endpoints takes a second"),
    UPSTREAM_LARGE_BODIES(LargeBodies::run, "memory while bodies of 1 GB pass in each direction"),
    SLOW_ATTACKS(SlowAttacks::run, "a route beside 2,000 clients that keep the gateway waiting"),
    ROW(OneRow::run, "one row by primary key from PostgreSQL"),
    HOT_PATH(HotPath::run, "a request whose answer costs nothing, beside bare Netty"),
    WS_ECHO(WebSocketEcho::run, "a text there and back over WebSockets, beside bare Netty"),
    WS_IDLE(IdleWebSockets::run, "10,000 idle WebSockets, beside bare Netty"),
    WS_FAN_OUT(WebSocketFanOut::run, "20 messages a second to 5,000 WebSockets, beside bare Netty"),
    FAN_OUT_NODES(FanOutNodes::run, "10 messages a second to 5,000 WebSockets of two nodes, beside one"),
    HOSTILE(Hostile::run, "a route beside each attack of one hostile client"),
    FAULTS(Faults::run, "requests that go on while one part after the other fails"),
    NODE_FAILURES(NodeFailures::run, "messages of topics while a gateway, Redis or PostgreSQL is killed"),
    SOAK(Soak::run, "hostile and faults by turns: whether memory, descriptors and threads grow"),

    HELLO(Suite.COMPARE, ColdPeers::hello, "R1: a greeting, 200/s from a cold start on"),
    CPU(Suite.COMPARE, ColdPeers::cpu, "R1: computations, 70/s from a cold start on"),
    LATENCY(Suite.COMPARE, ColdPeers::latency,
            "R1: answers that wait for 50 to 200 ms, 750/s from a cold start on"),
    KEEP_ALIVE(Suite.COMPARE, KeepAlivePeers::run, "R3: 10,000 connections, a request every 10 s on each"),
    QUERY(Suite.COMPARE, QueryPeers::run, "R4: a query of 20 ms, 1,000 users, 10 database connections"),
    ROWS(Suite.COMPARE, RowComparison::run,
            "rows from PostgreSQL and inserts, beside bare JDBC, Tomcat and COPY"),
    PROXY(Suite.COMPARE, ProxyComparison::run,
            "answers, uploads and WebSockets through a proxy, beside nginx, HAProxy, bare and Reactor Netty");

    private final Suite suite;
    private final Trial trial;
    private final String description;

    Experiment(Trial trial, String description) {
        this(Suite.EXPERIMENTS, trial, description);
    }

    Experiment(Suite suite, Trial trial, String description) {
        this.suite = suite;
        this.trial = trial;
        this.description = description;
    }

    /** Measures, and returns the results. */
    @FunctionalInterface
    private interface Trial {
        Section run(Workbench bench) throws Exception;
    }

    Section run(Workbench bench) throws Exception {
        return trial.run(bench);
    }

    /** The measured quantity, for the command line. */
    public String description() {
        return description;
    }

    /** The suite that the experiment belongs to. */
    Suite suite() {
        return suite;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
