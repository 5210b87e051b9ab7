package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.faults.Faults;
import io.sluice.loadtest.experiments.hostile.Hostile;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.soak.Soak;
import java.util.Locale;

/** The experiments that can be asked for. */
public enum Experiment {
    /** From the start of the process to the first answers, beside bare Netty. */
    COLD_START(ColdStart::run),
    /** A query of 20 ms, on event loops, pinned threads and our pools. */
    R4(SlowQuery::run),
    /** Queries of 5 and of 200 ms, on pinned threads and our pools. */
    MIXED(MixedRunTimes::run),
    /** A route that blocks nowhere beside an overloaded one. */
    ISOLATION(Isolation::run),
    /** From half of what can be done to ten times as much. */
    OVERLOAD(OverloadRamp::run),
    /** A route beside 2,000 clients who keep the gateway waiting. */
    SLOW_ATTACKS(SlowAttacks::run),
    /** One row by primary key from a PostgreSQL, on pinned threads and our pools. */
    ROW(OneRow::run),
    /** A request whose answer costs nothing, beside bare Netty. */
    HOT_PATH(HotPath::run),
    /** A text there and back over WebSockets, beside bare Netty. */
    WS_ECHO(WebSocketEcho::run),
    /** 10,000 WebSockets on which nothing happens, beside bare Netty. */
    WS_IDLE(IdleWebSockets::run),
    /** One who publishes and 5,000 who subscribe, beside bare Netty. */
    WS_FAN_OUT(WebSocketFanOut::run),
    /** A route beside each of the attacks of one hostile client. */
    HOSTILE(Hostile::run),
    /** Requests that go on while one part after the other fails. */
    FAULTS(Faults::run),
    /** Both by turns, for as long as is asked for. */
    SOAK(Soak::run),

    /** R1's greeting, 200 times a second, from a cold start on. */
    HELLO(Suite.COMPARE, ColdPeers::hello),
    /** R1's computations, from a cold start on. */
    CPU(Suite.COMPARE, ColdPeers::cpu),
    /** R1's answers that wait, from a cold start on. */
    LATENCY(Suite.COMPARE, ColdPeers::latency),
    /** R3's 10,000 connections. */
    KEEP_ALIVE(Suite.COMPARE, KeepAlivePeers::run),
    /** R4's query of 20 ms. */
    QUERY(Suite.COMPARE, QueryPeers::run);

    private final Suite suite;
    private final Trial trial;

    Experiment(Trial trial) {
        this(Suite.EXPERIMENTS, trial);
    }

    Experiment(Suite suite, Trial trial) {
        this.suite = suite;
        this.trial = trial;
    }

    /** Measures, and tells what was found. */
    @FunctionalInterface
    private interface Trial {
        Section run(Workbench bench) throws Exception;
    }

    Section run(Workbench bench) throws Exception {
        return trial.run(bench);
    }

    /** What it belongs to. */
    Suite suite() {
        return suite;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
