package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.source.Message;
import io.sluice.offload.source.TopicSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that read a replication slot. */
class ReplicationIT {
    private static final String LARGE =
            "(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 300) AS s(i))";

    private final RecordingSink sink = new RecordingSink();
    private SourceBed bed;

    @BeforeEach
    void create() throws SQLException {
        bed = new SourceBed();
        bed.execute("CREATE TABLE $t (id int PRIMARY KEY, name text, body text)");
    }

    @AfterEach
    void close() {
        bed.close();
    }

    private TopicSource read(String keys) {
        return bed.readSlot(sink, "tables { " + bed.name + " = \"rows.{id}\" }, " + keys);
    }

    @Test
    void changesAreMessagesOfTheTopicOfTheirRow() throws SQLException {
        bed.slot("$t");
        TopicSource source = read("");
        bed.execute("INSERT INTO $t VALUES (1, 'söme \"text\"\n', " + LARGE + ")");
        bed.execute("UPDATE $t SET name = NULL");
        bed.execute("UPDATE $t SET id = 2, body = 'small'");
        bed.execute("UPDATE $t SET name = ''");
        bed.execute("DELETE FROM $t");

        soon().until(() -> sink.size() == 5);
        List<String> texts = sink.texts().stream().map(text -> text.replace(bed.name, "t")).toList();
        assertThat(texts.get(0)).startsWith("rows.1:{\"op\":\"insert\",\"table\":\"t\",\"row\":{\"id\":1,"
                + "\"name\":\"söme \\\"text\\\"\\n\",\"body\":\"c4ca4238").endsWith("\"}}");
        assertThat(String.join("\n", texts.subList(1, 5))).isEqualTo("""
                rows.1:{"op":"update","table":"t","key":{"id":1},"row":{"id":1,"name":null},\
                "unchanged":["body"]}
                rows.2:{"op":"update","table":"t","key":{"id":1},"row":{"id":2,"name":null,"body":"small"}}
                rows.2:{"op":"update","table":"t","key":{"id":2},"row":{"id":2,"name":"","body":"small"}}
                rows.2:{"op":"delete","table":"t","key":{"id":2}}""");
        soon().until(() -> source.stats().messages() == 5 && source.stats().active());
    }

    @Test
    void theWholeRowIsKnownByReplicaIdentityFull() throws SQLException {
        bed.execute("ALTER TABLE $t REPLICA IDENTITY FULL");
        bed.slot("$t");
        bed.readSlot(sink, "tables { " + bed.name + " = \"by-name.{name}\" }");
        bed.execute("INSERT INTO $t VALUES (1, 'a', repeat('x', 20000))");
        bed.execute("ALTER TABLE $t ALTER body SET STORAGE EXTERNAL");
        bed.execute("UPDATE $t SET body = 'y' || body");
        bed.execute("UPDATE $t SET name = 'b'");
        bed.execute("DELETE FROM $t");

        soon().until(() -> sink.size() == 4);
        assertThat(sink.messages()).extracting(Message::topic)
                .containsExactly("by-name.a", "by-name.a", "by-name.b", "by-name.b");
        assertThat(sink.texts().get(2)).contains("\"key\":{\"id\":1,\"name\":\"a\",\"body\":\"yxxx")
                .contains("\"row\":{\"id\":1,\"name\":\"b\",\"body\":\"yxxx").doesNotContain("unchanged");
    }

    @Test
    void truncationIsAMessageWhereTheTableHasOneTopic() throws SQLException {
        bed.execute("CREATE TABLE $t_log (line text)");
        bed.slot("$t, $t_log");
        bed.readSlot(sink, "tables { " + bed.name + " = \"rows.{id}\", " + bed.name + "_log = log }");
        bed.execute("TRUNCATE $t, $t_log");
        bed.execute("INSERT INTO $t_log VALUES ('x')");

        soon().until(() -> sink.size() == 2);
        assertThat(sink.texts().getFirst())
                .isEqualTo("log:{\"op\":\"truncate\",\"table\":\"" + bed.name + "_log\"}");
    }

    /** The source fails twice in the middle of a transaction, and reads the rest after it has reconnected. */
    @Test
    void aSinkThatRefusesGetsTheRestAgain() throws SQLException {
        var tries = new AtomicInteger();
        sink.before(message -> {
            if (message.topic().equals("rows.30") && tries.incrementAndGet() < 3) {
                throw new IllegalStateException("refused");
            }
        });
        bed.slot("$t");
        TopicSource source = read("batch-rows = 20");
        bed.execute("INSERT INTO $t SELECT n FROM generate_series(1, 50) AS s(n)");

        soon().until(() -> sink.size() == 50);
        assertThat(sink.messages()).extracting(Message::topic)
                .isEqualTo(IntStream.rangeClosed(1, 50).mapToObj(i -> "rows." + i).toList());
        assertThat(sink.messages()).extracting(Message::key).doesNotHaveDuplicates();
        assertThat(sink.repeated()).isZero();
        assertThat(source.stats().failures()).isEqualTo(2);
    }

    /**
     * For the source, a terminated session is like a restart of the database. If it ends before the source
     * waits for the sink, messages that are not taken yet are handed over again, with the same keys.
     */
    @Test
    void anEndedSessionIsContinued() throws SQLException {
        bed.slot("$t");
        sink.hold();
        read("");
        bed.execute("INSERT INTO $t SELECT n FROM generate_series(1, 10) AS s(n)");
        soon().until(() -> sink.held() == 10);
        bed.execute("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots "
                + "WHERE slot_name = '$t'");
        sink.release();
        bed.execute("INSERT INTO $t SELECT n FROM generate_series(11, 20) AS s(n)");

        soon().until(() -> sink.size() == 20);
        assertThat(sink.messages()).extracting(Message::topic)
                .isEqualTo(IntStream.rangeClosed(1, 20).mapToObj(i -> "rows." + i).toList());
    }

    /** A transaction that began before another one and commits after it must not be confirmed with it. */
    @Test
    void overlappingTransactionsAreConfirmedEachByItself() throws SQLException {
        bed.slot("$t");
        Connection early = bed.connect();
        early.setAutoCommit(false);
        bed.execute(early, "INSERT INTO $t SELECT n FROM generate_series(1, 100) AS s(n)");
        bed.execute("INSERT INTO $t VALUES (1001)");
        long behind = bed.number("SELECT pg_current_wal_lsn() - '0/0'");
        TopicSource first = read("batch-rows = 10, deadline = 300ms");
        soon().until(() -> bed.number("SELECT confirmed_flush_lsn - '0/0' FROM pg_replication_slots "
                + "WHERE slot_name = '$t'") >= behind);
        sink.hold();
        early.commit();
        soon().until(() -> sink.held() == 10);
        sink.releaseHeld();
        soon().until(() -> sink.held() == 10);
        first.close();

        var next = new RecordingSink();
        bed.readSlot(next, "tables { " + bed.name + " = \"rows.{id}\" }");
        soon().until(() -> next.size() >= 100);
        assertThat(next.messages()).extracting(Message::topic)
                .isEqualTo(IntStream.rangeClosed(1, 100).mapToObj(i -> "rows." + i).toList());
    }

    /** Changes of other tables must be confirmed too, otherwise the slot would retain their WAL. */
    @Test
    void changesOfUnpublishedTablesAreConfirmed() throws SQLException {
        bed.slot("$t");
        bed.execute("CREATE TABLE $t_other AS SELECT n FROM generate_series(1, 10000) AS s(n)");
        read("");
        soon().until(() -> confirmed("SELECT (SELECT pg_current_wal_lsn()) - confirmed_flush_lsn"));
    }

    private boolean confirmed(String behind) {
        return bed.number(behind + " FROM pg_replication_slots WHERE slot_name = '$t'") < 1000;
    }

    @Test
    void aLargeTransactionPassesThroughInBoundedMemory() throws SQLException {
        bed.slot("$t");
        sink.hold();
        TopicSource source = read("batch-rows = 1000, batch-size = 256KiB");
        bed.execute("INSERT INTO $t SELECT n, repeat('x', 1000) FROM generate_series(1, 5000) AS s(n)");
        soon().until(() -> {
            sink.releaseHeld();
            return sink.size() == 5000;
        });
        assertThat(sink.mostHeldBytes()).isBetween(150_000L, 256L * 1024);
        soon().until(() -> source.stats().messages() == 5000);
    }

    @Test
    void oneReaderHasTheSlotAndAnotherTakesItOver() throws SQLException {
        bed.slot("$t");
        TopicSource first = read("");
        soon().until(() -> first.stats().active());
        var other = new RecordingSink();
        TopicSource second = bed.readSlot(other, "tables { " + bed.name + " = \"rows.{id}\" }");
        bed.execute("INSERT INTO $t VALUES (1)");
        soon().until(() -> sink.size() == 1);
        assertThat(second.stats().active()).isFalse();
        assertThat(second.stats().failures()).isZero();
        first.close();

        bed.execute("INSERT INTO $t VALUES (2)");
        // The first message comes again if its reader was closed before it had confirmed it.
        soon().until(() -> other.texts().stream().anyMatch(text -> text.startsWith("rows.2")));
        soon().until(() -> second.stats().active() && second.stats().lagBytes() > 0);
    }

    /** A delete has the key alone, and an update no large value that it leaves as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM $t", "UPDATE $t SET id = 3"})
    void aTopicOfAColumnThatAChangeDoesNotHaveStopsTheSlot(String change) throws SQLException {
        bed.execute("ALTER TABLE $t ALTER name SET STORAGE EXTERNAL");
        bed.slot("$t");
        TopicSource source = bed.readSlot(sink, "tables { " + bed.name + " = \"by-name.{name}\" }");
        bed.execute("INSERT INTO $t VALUES (1, repeat('a', 3000))");
        bed.execute(change);
        bed.execute("INSERT INTO $t VALUES (2, 'b')");

        soon().until(() -> source.stats().failures() >= 2);
        assertThat(sink.messages()).extracting(Message::topic).containsExactly("by-name." + "a".repeat(3000));
    }

    /** Rights go by segments, and clients choose values. */
    @Test
    void aValueAddsNoSegmentToATopic() throws SQLException {
        bed.slot("$t");
        bed.readSlot(sink, "tables { " + bed.name + " = \"users.{name}.log\" }");
        bed.execute("INSERT INTO $t VALUES (1, 'alice.inbox'), (2, 'alice%2Einbox'), (3, NULL)");

        soon().until(() -> sink.size() == 3);
        assertThat(sink.messages()).extracting(Message::topic)
                .containsExactly("users.alice%2Einbox.log", "users.alice%252Einbox.log", "users..log");
    }

    @Test
    void aMissingSlotIsWaitedFor() throws SQLException {
        TopicSource source = read("");
        soon().until(() -> source.stats().failures() >= 2);
        bed.slot("$t");
        bed.execute("INSERT INTO $t VALUES (1)");

        soon().until(() -> sink.size() == 1);
    }
}
