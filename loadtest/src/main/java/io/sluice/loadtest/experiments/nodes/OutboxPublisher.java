package io.sluice.loadtest.experiments.nodes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An application whose transactions insert a change, and its message into the outbox: to one topic after
 * the other. A transaction whose commit was not confirmed is not repeated: the table of changes tells
 * later whether it is committed.
 */
final class OutboxPublisher {

    private static final long PAUSE_MILLIS = 100;
    private static final String INSERT = """
            WITH change AS (INSERT INTO changes (topic, message) VALUES (?, ?))
            INSERT INTO sluice_outbox (topic, payload) VALUES (?, ?)""";

    private final OutboxDatabase database;
    private final List<TopicLedger> ledgers;
    private final long gap;
    private final Thread thread;
    private int number;
    private volatile boolean ended;

    /** Starts at once; {@code gap} is the time from one message to the next in ns. */
    OutboxPublisher(OutboxDatabase database, List<TopicLedger> ledgers, long gap) {
        this.database = database;
        this.ledgers = ledgers;
        this.gap = gap;
        thread = Thread.ofPlatform().daemon().name("outbox-publisher").start(this::run);
    }

    private void run() {
        try {
            while (!ended) {
                try (var connection = database.connect()) {
                    insert(connection);
                } catch (SQLException _) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException _) {
            // nobody interrupts it
        }
    }

    private void insert(Connection connection) throws SQLException, InterruptedException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (long next = System.nanoTime(); !ended; next += gap) {
                TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                var ledger = ledgers.get(number % ledgers.size());
                var message = "o" + number++;
                ledger.sending(message);
                insert.setString(1, ledger.topic());
                insert.setString(2, message);
                insert.setString(3, ledger.topic());
                insert.setString(4, message);
                insert.executeUpdate();
            }
        }
    }

    /** Ends it, and confirms the messages whose transactions are committed; blocks. */
    void end() throws SQLException, InterruptedException {
        ended = true;
        thread.join();
        try (var connection = database.connect(); var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT topic, message FROM changes")) {
            var byTopic = ledgers.stream()
                    .collect(Collectors.toMap(TopicLedger::topic, Function.identity()));
            while (rows.next()) {
                var ledger = byTopic.get(rows.getString(1));
                if (ledger != null) { // it is of this publisher
                    ledger.confirmed(rows.getString(2));
                }
            }
        }
    }
}
