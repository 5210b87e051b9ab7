package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Counts the messages of clients that follow topics while a gateway, Redis or PostgreSQL is killed. */
public final class NodeFailures {

    private static final int NODES = 3;
    private static final int CLIENTS = 3_000;

    private static final String SETTING = """
            Three gateways, one Redis that writes each command to a file, and one PostgreSQL with an outbox.
            3,000 clients, each tenth with an event stream and the others with WebSockets, follow 100 topics;
            one whose connection ends goes to the next gateway after 50 to 500 ms, with the last position
            that it has seen. 200 messages a second: 100 by POST, repeated with the same `Idempotency-Key`
            at the next gateway until it is answered with 200, and 100 by transactions that insert a row into
            the outbox. After %s s a part is killed (SIGKILL), 2 s later it is started again, and messages
            go on for %s s.""";
    private static final String NOTES = """
            Sent are messages that were answered with 200, or whose transaction is committed; received are
            those of all clients, each once. A message at a position that a client has seen is repeated: it
            drops that. Doubled is a message that it has already got at another position. Told are missing
            messages that were sent before a notice (`resync`) to their client; lost are all others, counted
            by their texts and by gaps between positions. Late are messages that took more than a second;
            recovery is the time from the kill to the arrival of the last one of them. Driver, gateways,
            Redis and PostgreSQL share the processors.""";

    private final Workbench bench;
    private final int clients;
    private final List<NodeFailureResult> results = new ArrayList<>();

    private NodeFailures(Workbench bench, int clients) {
        this.bench = bench;
        this.clients = clients;
    }

    /** Kills one part after the other. */
    public static Section run(Workbench bench) throws Exception {
        OpenFiles.need(CLIENTS);
        return run(bench, List.of(NodeFault.values()), CLIENTS);
    }

    static Section run(Workbench bench, List<NodeFault> faults, int clients) throws Exception {
        var failures = new NodeFailures(bench, clients);
        try (var nodes = Nodes.start(bench, NODES)) {
            for (var fault : faults) {
                failures.measure(nodes, fault);
            }
        }
        return failures.section();
    }

    private void measure(Nodes nodes, NodeFault fault) throws Exception {
        var result = new NodeFailureRun(nodes, fault, clients).measure(before(), after());
        results.add(result);
        var tally = result.tally();
        bench.say(("%s: %,d sent, %,d of %,d received, %,d resyncs, %,d told, %,d repeated, %,d doubled, "
                + "%,d lost, recovered after %s s").formatted(fault, result.sent(), tally.received(),
                        tally.expected(), tally.resyncs(), tally.told(), tally.repeated(), tally.doubled(),
                        tally.lost(), seconds(result.recovery())));
    }

    private Duration before() {
        return bench.timing().measured().dividedBy(2);
    }

    private Duration after() {
        return bench.timing().measured();
    }

    private static String seconds(Duration time) {
        return Figure.of(time.toMillis() / 1e3);
    }

    private Section section() {
        var table = new MarkdownTable("killed", "sent", "POSTs repeated", "connections ended", "to receive",
                "received", "resyncs", "missing, told", "repeated", "doubled", "lost", "recovery, s");
        for (var result : results) {
            var tally = result.tally();
            table.row(result.fault().toString(), Figure.of(result.sent()), Figure.of(result.posts()),
                    Figure.of(tally.disconnections()), Figure.of(tally.expected()),
                    Figure.of(tally.received()), Figure.of(tally.resyncs()), Figure.of(tally.told()),
                    Figure.of(tally.repeated()), Figure.of(tally.doubled()), Figure.of(tally.lost()),
                    seconds(result.recovery()));
        }
        return new Section("Killed nodes", SETTING.formatted(seconds(before()), seconds(after())), table,
                NOTES, goals(), 0, plot());
    }

    private List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        for (var result : results) {
            goals.add(Goal.atMost(0, "lost without a notice, " + result.fault(), result.tally().lost()));
            if (!result.fault().forgetsKeys()) {
                goals.add(Goal.atMost(0, "doubled, " + result.fault(), result.tally().doubled()));
            }
        }
        return goals;
    }

    private String plot() {
        var lines = results.stream().map(NodeFailures::line).toList();
        return SvgPlot.of("Messages that arrive at the clients", List.of(new SvgPlot.Panel(
                Axis.linear("seconds since the kill", (double) NodeFailureRun.BINS
                        / FollowerCrowd.BINS_A_SECOND),
                Axis.linear("messages a second", Series.largestOf(lines)), lines)));
    }

    private static Series line(NodeFailureResult result) {
        return new Series(result.fault().toString(), IntStream.range(0, result.arrivals().length)
                .mapToObj(bin -> new Point((bin + 0.5) / FollowerCrowd.BINS_A_SECOND,
                        (double) result.arrivals()[bin] * FollowerCrowd.BINS_A_SECOND))
                .toList());
    }
}
