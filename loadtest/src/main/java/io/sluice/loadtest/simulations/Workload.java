package io.sluice.loadtest.simulations;

import io.sluice.loadtest.simulations.Thresholds.Limit;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The available simulations, with their lengths and users. Their limits are in {@code thresholds.properties}.
 */
public enum Workload {
    HELLO("R1: /benchmark/hello from a cold start, 200/s in the end", "90s", "30s",
            HelloSimulation::of),
    CPU("R1: /benchmark/cpu and /benchmark/cpu-heavy, 70/s", "60s", "20s",
            CpuSimulation::of),
    LATENCY("R1: /benchmark/latency and /benchmark/mixed, 750/s", "60s", "20s",
            LatencySimulation::of),
    KEEP_ALIVE("R3: 10,000 connections, a request every 10 s on each", "120s", "24s",
            ReturningUsers::keepAlive),
    QUERY("R4: 1,000 users of /benchmark/jdbc, a query of 20 ms", "5m", "30s",
            ReturningUsers::query),
    CODE("R5: 720 open sockets on /ws/code, each running a program", "16m", "2m",
            CodeSimulation::new),
    WS_ECHO("100 sockets on /ws/echo, 2,000 texts a second", "70s", "12s",
            WebSocketEchoSimulation::new),
    BREAKPOINT("100/s more of /benchmark/jdbc with each stair, until one breaks", "10m", "100s",
            BreakpointSimulation::new),
    SOAK("a little of everything; what the server takes, and how it grows", "4h", "2m",
            SoakSimulation::new);

    private final String description;
    private final Duration reportLength;
    private final Duration shortLength;
    private final Function<RunSettings, SimulatedLoad> load;

    Workload(String description, String reportLength, String shortLength,
            Function<RunSettings, SimulatedLoad> load) {
        this.description = description;
        this.reportLength = TimeSpan.parse(reportLength).orElseThrow();
        this.shortLength = TimeSpan.parse(shortLength).orElseThrow();
        this.load = load;
    }

    public String description() {
        return description;
    }

    public Duration length(Profile profile) {
        return switch (profile) {
            case REPORT -> reportLength;
            case SHORT -> shortLength;
        };
    }

    /** The figures by which a run can be judged. */
    public Set<Limit> limits() {
        return this == BREAKPOINT ? EnumSet.of(Limit.P99, Limit.ERROR_RATIO) : EnumSet.allOf(Limit.class);
    }

    /** The users of a run. */
    public SimulatedLoad load(RunSettings settings) {
        return load.apply(settings);
    }

    public static Optional<Workload> named(String name) {
        return Stream.of(values()).filter(workload -> workload.toString().equals(name)).findFirst();
    }

    /** All names. */
    public static List<String> names() {
        return Stream.of(values()).map(Workload::toString).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
