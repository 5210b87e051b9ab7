package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the gateway as a proxy with nginx, HAProxy, plain Netty and Reactor Netty. */
public final class ProxyComparison {

    private static final String HELLO = "hello, 5,000/s";
    private static final String HELLO_CLOSED = "hello";
    private static final String TEN_KILOBYTES = "10 kB, 3,000/s";
    private static final String MEGABYTE = "1 MB, 150/s";
    private static final String UPLOAD = "1 MB upload, 100/s";
    private static final String TLS = "hello over TLS, 3,000/s";
    private static final String ECHO = "WebSocket echo";
    private static final List<ProxyLoad> LOADS = List.of(
            ProxyLoad.closed(HELLO_CLOSED, OriginServer.HELLO),
            ProxyLoad.open(HELLO, Request.get(HELLO, OriginServer.HELLO), 5_000),
            ProxyLoad.open(TEN_KILOBYTES, Request.get(TEN_KILOBYTES, OriginServer.TEN_KILOBYTES), 3_000),
            ProxyLoad.open(MEGABYTE, Request.get(MEGABYTE, OriginServer.MEGABYTE), 150),
            ProxyLoad.open(UPLOAD, ProxyLoad.upload(UPLOAD), 100),
            ProxyLoad.tls(TLS, Request.get(TLS, OriginServer.HELLO), 3_000),
            ProxyLoad.echo(ECHO));

    private static final String SETTING = """
            Proxies before one origin, which is plain Netty, on 64 client connections: loads with a rate are
            open loops with exponential gaps, in which latency counts from the time at which a request was
            meant to be sent; `hello` (13 bytes) and WebSocket echo (32 bytes) are closed loops. Idle clients
            have had one answer each, idle tunnels are WebSockets.""";
    private static final String NOTES = """
            Medians of the rounds, in which the proxies alternate, each in a fresh process, which is measured
            once its compilers have been idle for 3 s; max is the largest, errors are all of them, and lost
            connections. CPU is the user and system time of the proxy's processes for each answer. Ratios are
            to nginx; of CPU the median of the rounds' ratios. Memory is what each idle connection adds to the
            RSS of the proxy's processes, in kB of 1,000 bytes; JVMs have just collected their garbage, and
            nginx has reserved memory for connections before the first. What the kernel needs for a connection
            is in no figure. All have two workers, threads or event loops, and log no requests. nginx has
            `worker_processes 2`, each with 64 idle connections to the origin, and no files for bodies;
            HAProxy `nbthread 2` and `http-reuse always`. Bare Netty is `HttpServerCodec`, `HttpClientCodec`
            and one handler on each side; Reactor Netty, of which Spring Cloud Gateway is made, `HttpServer`
            and `HttpClient` on the same loops. Ours meters, limits, queues, has deadlines, and sends
            `Forwarded`, `X-Forwarded-*`, `Via` and `X-Request-Id`; the others add no fields.""";

    private final Workbench bench;
    private final List<Variant> installed =
            ProxyServers.ALL.stream().filter(ProxyServers::isInstalled).toList();
    private final MarkdownTable table = new MarkdownTable("load", "proxy", "req/s", "CPU, µs/req",
            "CPU / nginx", "p50, ms", "p99, ms", "p99 / nginx", "max, ms", "memory, kB", "errors");
    private final List<Goal> goals = new ArrayList<>();
    private long errors;
    @SuppressWarnings("NullAway.Init") // set by the load of HELLO
    private String plot;

    private ProxyComparison(Workbench bench) {
        this.bench = bench;
    }

    /** Measures all loads. */
    public static Section run(Workbench bench) throws Exception {
        OpenFiles.need(IdleConnections.MOST);
        var comparison = new ProxyComparison(bench);
        try (var servers = ProxyServers.start(bench)) {
            for (var load : LOADS) {
                bench.say(load.name());
                comparison.add(load, new AlternatingRounds(
                        (_, variant) -> comparison.warm(servers, variant, load), load.measured(), false)
                        .measure(bench, comparison.installed));
            }
            for (var idle : IdleConnections.values()) {
                bench.say(idle.title());
                comparison.add(idle.title(), idle.measure(bench, servers, comparison.installed));
            }
        }
        return new Section("Proxies", SETTING, comparison.table, NOTES, comparison.goals, comparison.errors,
                comparison.plot);
    }

    private ServerProcess warm(ProxyServers servers, Variant variant, ProxyLoad load)
            throws IOException, InterruptedException {
        var server = servers.start(bench, variant, load.tls());
        try (var users = load.warmUp().at(server.port())) {
            users.warmUp(bench.timing().warmUp());
            return server;
        } catch (Exception e) {
            server.close();
            throw new IllegalStateException(variant.name() + ": " + e.getMessage(), e);
        }
    }

    private void add(ProxyLoad load, List<VariantResult> results) {
        var nginx = of(ProxyServers.NGINX, results);
        for (var variant : ProxyServers.ALL) {
            of(variant, results).ifPresentOrElse(result -> row(load, result, nginx),
                    () -> missing(load.name(), variant));
        }
        var ours = results.getFirst();
        errors += ours.failures();
        nginx.ifPresent(peer -> judge(load, ours, peer));
        if (load.name().equals(HELLO)) {
            plot = plot(results);
        }
    }

    private static Optional<VariantResult> of(Variant variant, List<VariantResult> results) {
        return results.stream().filter(result -> result.variant().equals(variant)).findFirst();
    }

    private void row(ProxyLoad load, VariantResult result, Optional<VariantResult> nginx) {
        var latency = result.quantiles();
        table.row(load.name(), result.name(), Figure.of(result.perSecond()),
                Figure.of(result.microsPerRequest()),
                nginx.map(peer -> Figure.ratio(result.processorTimeTo(peer))).orElse(""),
                Figure.of(latency.p50()), Figure.of(latency.p99()),
                nginx.map(peer -> Figure.ratio(latency.p99() / peer.quantiles().p99())).orElse(""),
                Figure.of(latency.max()), "", Figure.of(result.failures()));
    }

    private void missing(String load, Variant variant) {
        table.row(load, variant.name() + ", not installed", "", "", "", "", "", "", "", "", "");
    }

    private void judge(ProxyLoad load, VariantResult ours, VariantResult nginx) {
        if (load.name().equals(HELLO_CLOSED)) {
            goals.add(Goal.atMost(1.15, "CPU of hello, ours / nginx", ours.processorTimeTo(nginx)));
        } else if (load.name().equals(HELLO)) {
            goals.add(Goal.atMost(1.2, "p99 of " + HELLO + ", ours / nginx",
                    ours.quantiles().p99() / nginx.quantiles().p99()));
        }
    }

    private static String plot(List<VariantResult> results) {
        var lines = results.stream().map(result -> result.percentiles(HELLO)).toList();
        return SvgPlot.of("Hello through a proxy, 5,000 times a second", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
    }

    private void add(String load, List<IdleConnections.Result> results) {
        for (var variant : ProxyServers.ALL) {
            results.stream().filter(result -> result.variant().equals(variant)).findFirst()
                    .ifPresentOrElse(result -> row(load, result), () -> missing(load, variant));
        }
        errors += results.getFirst().lost();
    }

    private void row(String load, IdleConnections.Result result) {
        table.row(load, result.variant().name(), "", "", "", "", "", "", "",
                Figure.of(result.kilobytes()), Figure.of(result.lost()));
    }
}
