package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.WebSockets;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Connections to a proxy on which nothing happens: the memory that each takes. */
enum IdleConnections {
    /** Connections that have had one answer. */
    CLIENTS(10_000, "10,000 idle clients", 1),
    /** WebSockets to the origin, each with a connection of the proxy to it. */
    TUNNELS(5_000, "5,000 idle tunnels", 2);

    private static final int WARM = 500;
    private static final double OPENED_PER_SECOND = 2_000;
    private static final Duration GIVING_BACK = Duration.ofMillis(500);
    private static final Request HELLO = Request.get("hello", OriginServer.HELLO);

    /** The most sockets that a process has here. */
    static final int MOST = 10_000;

    private final int number;
    private final String title;
    private final int socketsOfEach;

    IdleConnections(int number, String title, int socketsOfEach) {
        this.number = number;
        this.title = title;
        this.socketsOfEach = socketsOfEach;
    }

    /**
     * One round of one proxy.
     *
     * @param bytes what each connection takes
     * @param lost the connections that were not held
     */
    private record Held(double bytes, long lost) {}

    /** All rounds of a proxy. */
    record Result(Variant variant, double kilobytes, long lost) {}

    String title() {
        return title;
    }

    /** Measures proxies by turns, each in a fresh process in each round. */
    List<Result> measure(Workbench bench, ProxyServers servers, List<Variant> variants) throws Exception {
        var rounds = new LinkedHashMap<Variant, List<Held>>();
        for (int round = 1; round <= bench.timing().rounds(); round++) {
            for (var variant : variants) {
                try (var server = servers.start(bench, variant, false)) {
                    var held = measure(bench, server);
                    rounds.computeIfAbsent(variant, _ -> new ArrayList<>()).add(held);
                    bench.say("round %d of %d, %s: %s kB, %,d lost".formatted(round,
                            bench.timing().rounds(), variant.name(), Figure.of(held.bytes() / 1e3),
                            held.lost()));
                }
            }
        }
        return rounds.entrySet().stream().map(IdleConnections::result).toList();
    }

    private static Result result(Map.Entry<Variant, List<Held>> rounds) {
        return new Result(rounds.getKey(), Median.of(rounds.getValue(), Held::bytes) / 1e3,
                rounds.getValue().stream().mapToLong(Held::lost).sum());
    }

    private Held measure(Workbench bench, ServerProcess server) throws Exception {
        open(server, WARM).close();
        double before = memory(server);
        try (var _ = open(server, number)) {
            Thread.sleep(bench.timing().settle()); // they are only held open
            double bytes = (memory(server) - before) / number;
            long missing = (long) number * socketsOfEach - server.openDescriptors();
            return new Held(bytes, Math.max(0, missing) / socketsOfEach);
        }
    }

    /** Opens connections; blocks until all are idle. */
    private AutoCloseable open(ServerProcess server, int connections)
            throws TimeoutException, InterruptedException {
        return switch (this) {
            case CLIENTS -> {
                var load = Load.open(server.port(), connections,
                        Arrivals.few(connections, OPENED_PER_SECOND), () -> HELLO);
                load.warmUp(Duration.ofMillis((long) (connections * 1e3 / OPENED_PER_SECOND)));
                yield load;
            }
            case TUNNELS -> {
                var sockets = WebSockets.to(server.port(), OriginServer.ECHO, (_, _) -> { });
                sockets.open(connections);
                yield sockets;
            }
        };
    }

    private static double memory(ServerProcess server) throws IOException, InterruptedException {
        server.collectGarbage();
        Thread.sleep(GIVING_BACK); // the collector returns memory in the background
        return server.residentBytes();
    }
}
