package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.report.Section;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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
    WS_FAN_OUT(WebSocketFanOut::run);

    private final Trial trial;

    Experiment(Trial trial) {
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

    /** The one of a name as it stands in a command line. */
    public static Optional<Experiment> named(String name) {
        return Stream.of(values()).filter(experiment -> experiment.toString().equals(name)).findFirst();
    }

    /** All names, as they stand in a sentence. */
    public static String names() {
        var names = Stream.of(values()).map(Experiment::toString).toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
    }

    /** All of them, in the order in which they run. */
    public static List<Experiment> all() {
        return List.of(values());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
