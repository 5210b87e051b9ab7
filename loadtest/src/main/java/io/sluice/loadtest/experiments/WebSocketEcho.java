package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.util.List;

/** Measures what the gateway adds to the round trip of a WebSocket message. */
final class WebSocketEcho {

    private static final int SOCKETS = 64;
    private static final String TEXT = "Hello, WebSocket! Are you there?";

    private static final String SETTING = """
            A text of 32 bytes to `/ws/echo` and back, on 64 WebSockets in a closed loop; bare Netty is
            `WebSocketServerProtocolHandler` and one handler that writes back what it reads.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, errors are all of them. CPU is that of the server's
            process, user and system. Scale: 8.1 µs for each message with bare Netty.""";

    private WebSocketEcho() {}

    static Section run(Workbench bench) throws Exception {
        try (var servers = WebSocketServers.configured()) {
            return section(new AlternatingRounds(servers::start,
                    port -> Load.echo(port, SOCKETS, WebSocketServers.ECHO, TEXT), false)
                    .measure(bench, WebSocketServers.ALL));
        }
    }

    private static Section section(List<VariantResult> results) {
        var table = new MarkdownTable("server", "messages/s", "CPU, µs/message", "p50, ms", "p99, ms",
                "max, ms", "errors");
        for (var result : results) {
            var latency = result.quantiles();
            table.row(result.name(), Figure.of(result.perSecond()), Figure.of(result.microsPerRequest()),
                    Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.of(latency.max()),
                    Figure.of(result.failures()));
        }
        double ratio = results.getFirst().microsPerRequest() / results.getLast().microsPerRequest();
        var lines = results.stream().map(result -> result.percentiles(WebSocketServers.ECHO)).toList();
        var plot = SvgPlot.of("A text there and back, 64 WebSockets", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)),
                lines)));
        return new Section("WebSocket echo", SETTING, table, NOTES,
                List.of(Goal.atMost(1.05, "CPU of a message, ours / bare Netty", ratio)),
                results.stream().mapToLong(VariantResult::failures).sum(), plot);
    }
}
