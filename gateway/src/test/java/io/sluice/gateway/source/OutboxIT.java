package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.source.Message;
import io.sluice.offload.source.TopicSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Outboxes: order, batches, notifications and limits, without failures. */
class OutboxIT {
    private static final int PRODUCERS = 4;
    private static final int EACH = 250;

    private final RecordingSink sink = new RecordingSink();
    private SourceBed bed;

    @BeforeEach
    void create() throws SQLException {
        bed = new SourceBed();
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void rowsArePublishedInTheirOrderAndDeleted() throws Exception {
        bed.outbox();
        bed.insert("a", "one");
        bed.insert("ü", "zwö €");
        TopicSource source = bed.readOutbox(sink, "");
        soon().until(() -> bed.rows() == 0);
        bed.insert("a", "three");
        soon().until(() -> bed.rows() == 0);

        assertThat(sink.texts()).containsExactly("a:one", "ü:zwö €", "a:three");
        assertThat(sink.messages()).allMatch(Message::text).extracting(message ->
                message.key().replaceFirst("/\\d{10}\\.\\d{6}/", "/TIME/"))
                .containsExactly("db/" + bed.name + "/TIME/1", "db/" + bed.name + "/TIME/2",
                        "db/" + bed.name + "/TIME/3");
        soon().untilAsserted(() -> {
            assertThat(source.stats().messages()).isEqualTo(3);
            assertThat(source.stats().batches()).isEqualTo(2);
            assertThat(source.stats().active()).isTrue();
            assertThat(source.stats().lagSeconds()).isZero();
        });
    }

    /** If one is refused, the sink refuses those behind it, which it gets before the source knows. */
    @Test
    void messagesOnTheirWayNameTheOneBeforeInTheirTopic() throws Exception {
        bed.outbox();
        bed.execute("INSERT INTO $t (topic, payload) VALUES ('a', '1'), ('b', '2'), ('a', '3'), ('a', '4')");
        bed.readOutbox(sink, "batch-rows = 4");
        soon().until(() -> bed.rows() == 0);
        bed.insert("a", "5");
        soon().until(() -> bed.rows() == 0);

        List<String> keys = sink.messages().stream().map(Message::key).toList();
        assertThat(sink.messages()).extracting(Message::after)
                .containsExactly(null, null, keys.get(0), keys.get(2), null);
    }

    @Test
    void bytesAreBinaryMessages() throws Exception {
        bed.outbox("bytea");
        bed.execute("INSERT INTO $t (topic, payload) VALUES ('a', '\\x00ff10')");
        bed.readOutbox(sink, "");

        soon().until(() -> sink.size() == 1);
        assertThat(sink.messages().getFirst().text()).isFalse();
        assertThat(sink.messages().getFirst().payload()).containsExactly(0, 0xFF, 0x10);
    }

    /** Ids are assigned before the commit, so a smaller id may become visible after a larger one. */
    @Test
    void rowsCommittedLateAreNotSkipped() throws Exception {
        bed.outbox();
        Connection late = bed.connect();
        late.setAutoCommit(false);
        bed.insert(late, "a", "first id");
        bed.insert("a", "second id");
        bed.readOutbox(sink, "");
        soon().until(() -> sink.size() == 1);
        late.commit();
        soon().until(() -> bed.rows() == 0);

        assertThat(sink.texts()).containsExactly("a:second id", "a:first id");
    }

    /** Transactions that wait for the same row insert in the order of their commits. */
    @Test
    void transactionsOfOneRowKeepTheirOrder() throws Exception {
        bed.outbox();
        bed.execute("CREATE TABLE $t_orders AS SELECT 0 AS version");
        bed.readOutbox(sink, "");
        try (ExecutorService producers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = IntStream.range(0, PRODUCERS).<Future<?>>mapToObj(_ ->
                    producers.submit(() -> {
                        Connection own = bed.connect();
                        own.setAutoCommit(false);
                        for (int i = 0; i < EACH; i++) {
                            bed.execute(own, "UPDATE $t_orders SET version = version + 1; INSERT INTO $t "
                                    + "(topic, payload) SELECT 'order', version FROM $t_orders");
                            own.commit();
                        }
                        return null;
                    })).toList();
            for (Future<?> each : all) {
                each.get();
            }
        }
        soon().until(() -> bed.rows() == 0);

        assertThat(sink.texts()).containsExactlyElementsOf(
                IntStream.rangeClosed(1, PRODUCERS * EACH).mapToObj(i -> "order:" + i).toList());
    }

    @Test
    void oneOfSeveralReadersTakesABatchAndTheOthersWait() throws Exception {
        bed.outbox();
        var other = new RecordingSink();
        sink.hold();
        bed.insert("a", "1");
        TopicSource first = bed.readOutbox(sink, "batch-rows = 10");
        soon().until(() -> sink.held() == 1);
        TopicSource second = bed.readOutbox(other, "batch-rows = 10");
        for (int i = 2; i <= 200; i++) {
            bed.insert("a", String.valueOf(i));
        }
        assertThat(first.stats().active()).isTrue();
        assertThat(second.stats().active()).isFalse();
        assertThat(other.size()).isZero();

        sink.release();
        soon().until(() -> bed.rows() == 0);
        assertThat(sink.size() + other.size()).isEqualTo(200);
        assertThat(sink.repeated() + other.repeated()).isZero();
        bed.insert("a", "201");
        first.close();
        bed.insert("a", "202");
        soon().until(() -> bed.rows() == 0);
        assertThat(sink.size() + other.size()).isEqualTo(202);
        assertThat(first.stats().active()).isFalse();
    }

    @Test
    void aBacklogIsReadInBoundedBatches() throws Exception {
        bed.outbox();
        bed.execute("INSERT INTO $t (topic, payload) "
                + "SELECT 'a', repeat('x', 1000) FROM generate_series(1, 3000)");
        bed.execute("INSERT INTO $t (topic, payload) SELECT 'b', 'x' FROM generate_series(1, 3000)");
        sink.hold();
        TopicSource source = bed.readOutbox(sink, "batch-rows = 200, batch-size = 64KiB");
        soon().until(() -> {
            sink.releaseHeld();
            return sink.size() == 6000;
        });

        soon().until(() -> bed.rows() == 0);
        assertThat(sink.mostHeldBytes()).isBetween(60_000L, 65_536L);
        assertThat(sink.mostHeld()).isEqualTo(200);
        soon().until(() -> source.stats().messages() == 6000);
        assertThat(source.stats().batches()).isBetween(60L, 80L);
    }

    @Test
    void aNotificationEndsTheWait() throws Exception {
        bed.outbox();
        bed.readOutbox(sink, "listen = true, poll-interval = 1h");
        bed.insert("a", "1");
        soon().until(() -> sink.size() == 1);
        soon().until(() -> bed.number("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'ROLLBACK%' "
                // the source has polled once more and found nothing
                + "AND application_name = 'sluice-outbox'") == 1);
        bed.insert("a", "2");
        soon().until(() -> sink.size() == 2);
    }

    /** Commits with NOTIFY wait for each other, so at most one of them in each tick of 100 ms may notify. */
    @Test
    void oneCommitInATenthOfASecondNotifies() throws Exception {
        bed.outbox();
        Connection listener = bed.connect();
        bed.execute(listener, "LISTEN $t");
        long begin = bed.number("SELECT floor(10 * extract(epoch FROM clock_timestamp()))");
        IntStream.range(0, 8).parallel().forEach(_ -> {
            try (Connection own = bed.connect()) {
                for (int i = 0; i < 50; i++) {
                    bed.insert(own, "a", "x");
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        long ticks = bed.number("SELECT floor(10 * extract(epoch FROM clock_timestamp()))") - begin + 1;
        bed.execute(listener, "SELECT 1");

        int notifications = listener.unwrap(PGConnection.class).getNotifications().length;
        // A delayed transaction may set the tick back; another one of the present tick notifies again then.
        assertThat(notifications).isBetween(1, (int) Math.min(2 * ticks, 399));
        assertThat(bed.rows()).isEqualTo(400);
    }

    /**
     * The notifying transaction holds the lock of its tick until it ends. Other transactions do not wait for
     * it.
     */
    @Test
    void noTransactionWaitsForTheOneThatNotifies() throws Exception {
        bed.outbox();
        Connection slow = bed.connect();
        slow.setAutoCommit(false);
        soon().until(() -> {
            bed.insert(slow, "a", "slow");
            bed.execute(slow, "SET CONSTRAINTS ALL IMMEDIATE");
            bed.execute("SET statement_timeout = '10s'");
            bed.execute("SELECT setval('$t_tick', 1)"); // resets the tick, as if no transaction had notified
            bed.insert("a", "fast");
            boolean together = bed.number("SELECT last_value FROM $t_tick") == 1;
            slow.rollback();
            return together;
        });
    }

    @Test
    void aRowBeyondTheLimitStopsTheOutboxUntilItIsGone() throws Exception {
        bed.outbox();
        bed.insert("a", "before");
        bed.insert("a", "x".repeat(5000));
        bed.insert("a", "behind");
        TopicSource source = bed.readOutbox(sink, "batch-size = 4KiB");
        soon().until(() -> source.stats().failures() >= 2);
        assertThat(sink.texts()).containsExactly("a:before");
        assertThat(source.stats().lagSeconds()).isPositive();

        bed.execute("DELETE FROM $t WHERE length(payload) > 4000");
        soon().until(() -> bed.rows() == 0);
        assertThat(sink.texts()).containsExactly("a:before", "a:behind");
    }
}
