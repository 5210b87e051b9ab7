package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One fault, with topics, clients and publishers of its own. */
final class NodeFailureRun {

    /** The bins after the kill in which arrivals are counted. */
    static final int BINS = 20 * FollowerCrowd.BINS_A_SECOND;

    private static final int CLIENTS_OF_A_TOPIC = 30;
    /** Of either kind of publisher. */
    private static final int PER_SECOND = 100;
    private static final Duration DOWN = Duration.ofSeconds(2);
    /** For messages that are under way when the publishers end. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** For messages that should not come any more. */
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final long LOOK_MILLIS = 100;

    private final Nodes nodes;
    private final NodeFault fault;
    private final int clients;
    private final List<TopicLedger> ledgers;

    NodeFailureRun(Nodes nodes, NodeFault fault, int clients) {
        this.nodes = nodes;
        this.fault = fault;
        this.clients = clients;
        ledgers = IntStream.range(0, Math.max(1, clients / CLIENTS_OF_A_TOPIC))
                .mapToObj(number -> new TopicLedger("%s-%d".formatted(
                        fault.name().toLowerCase(Locale.ROOT), number)))
                .toList();
    }

    /**
     * Measures; blocks.
     *
     * @param before from the first message to the kill
     * @param after from the restart to the last message
     */
    NodeFailureResult measure(Duration before, Duration after) throws Exception {
        try (var crowd = FollowerCrowd.open(nodes, ledgers, clients)) {
            var posting = posting();
            var outbox = new OutboxPublisher(
                    nodes.database(), ledgers, TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
            Thread.sleep(before);
            long begin = System.nanoTime();
            fault.inject(nodes);
            Thread.sleep(DOWN);
            fault.mend(nodes);
            Thread.sleep(after);
            posting.forEach(PostingPublisher::end);
            for (var publisher : posting) {
                publisher.await(PATIENCE);
            }
            outbox.end();
            var ends = awaitEnds(crowd);
            return new NodeFailureResult(fault, ledgers.stream()
                    .mapToLong(ledger -> ledger.confirmed().size()).sum(),
                    posting.stream().mapToLong(PostingPublisher::repeated).sum(), crowd.tally(ends),
                    Duration.ofNanos(Math.max(0, crowd.lastLate() - begin)),
                    crowd.arrivalsSince(begin, BINS));
        }
    }

    private List<PostingPublisher> posting() {
        long gap = TimeUnit.SECONDS.toNanos(1) * ledgers.size() / PER_SECOND;
        var publishers = new ArrayList<PostingPublisher>();
        for (int number = 0; number < ledgers.size(); number++) {
            publishers.add(new PostingPublisher(nodes::port, number, ledgers.get(number),
                    gap * number / ledgers.size(), gap));
        }
        return publishers;
    }

    /** Waits until each client is at the end of its topic; returns the ends. */
    private List<String> awaitEnds(FollowerCrowd crowd) throws InterruptedException, IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        do {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // it has to be polled
        } while (!crowd.isComplete(ends()) && deadline - System.nanoTime() > 0);
        Thread.sleep(QUIET);
        return ends();
    }

    private List<String> ends() throws IOException {
        var ends = new ArrayList<String>();
        try (var wire = Wire.open("127.0.0.1", nodes.port(0), 0, new Traffic()).patience(PATIENCE)) {
            for (var ledger : ledgers) {
                wire.send("GET /events/%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(ledger.topic()));
                var text = new String(HttpAnswer.read(wire).body(), StandardCharsets.UTF_8);
                ends.add(text.replaceAll("(?s).*\"last\":\"|\".*", ""));
            }
        }
        return ends;
    }
}
