package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.StatementProxy;
import io.sluice.offload.source.TopicSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures between any two steps of an outbox's batch: no message is lost or published twice. */
class OutboxFailureIT {
    private static final int ROWS = 10;
    private static final List<String> ALL = IntStream.range(0, ROWS).mapToObj(i -> "a:" + i).toList();
    private static final String KILL = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = 'sluice-outbox' AND query LIKE '%$t%' AND pid <> pg_backend_pid()""";
    /** Functions for a trigger that terminates its own session, the first time that it runs. */
    private static final String KILL_ONCE = """
            CREATE SEQUENCE $t_once;
            CREATE FUNCTION $t_kill() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('$t_once') = 1 THEN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(60);
              END IF;
              RETURN OLD;
            END $$;
            """;

    private static final String UNDELETED = """
            CREATE FUNCTION $t_keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER keep BEFORE DELETE ON $t FOR EACH ROW EXECUTE FUNCTION $t_keep()""";

    private final RecordingSink sink = new RecordingSink();

    /** The step that fails. */
    enum Step {
        /** The sink refuses a message in the middle of a batch. */
        REFUSED {
            @Override
            void prepare(SourceBed bed, RecordingSink sink) {
                var refused = new AtomicBoolean();
                sink.before(message -> {
                    if (message.key().endsWith("/4") && refused.compareAndSet(false, true)) {
                        throw new IllegalStateException("refused");
                    }
                });
            }
        },
        /** The database ends the session after some messages were handed over. */
        KILLED_BETWEEN_MESSAGES {
            @Override
            void prepare(SourceBed bed, RecordingSink sink) {
                killAt(bed, sink, "/4");
            }
        },
        /** The database ends the session when the sink has all messages. */
        KILLED_BEFORE_DELETE {
            @Override
            void prepare(SourceBed bed, RecordingSink sink) {
                killAt(bed, sink, "/" + ROWS);
            }
        },
        KILLED_IN_DELETE {
            @Override
            void prepare(SourceBed bed, RecordingSink sink) throws SQLException {
                bed.execute(KILL_ONCE + "CREATE TRIGGER kill BEFORE DELETE ON $t EXECUTE FUNCTION $t_kill()");
            }
        },
        KILLED_IN_COMMIT {
            @Override
            void prepare(SourceBed bed, RecordingSink sink) throws SQLException {
                bed.execute(KILL_ONCE + "CREATE CONSTRAINT TRIGGER kill AFTER DELETE ON $t DEFERRABLE "
                        + "INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $t_kill()");
            }
        };

        abstract void prepare(SourceBed bed, RecordingSink sink) throws SQLException;

        private static void killAt(SourceBed bed, RecordingSink sink, String key) {
            var killed = new AtomicBoolean();
            sink.before(message -> {
                if (message.key().endsWith(key) && killed.compareAndSet(false, true)) {
                    assertThat(bed.number(KILL)).isEqualTo(1);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyMessageIsPublishedOnce(Step step) throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            step.prepare(bed, sink);
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(0, 9) AS s(n)");
            TopicSource source = bed.readOutbox(sink, "");

            soon().until(() -> bed.rows() == 0);
            assertThat(sink.texts()).isEqualTo(ALL);
            assertThat(sink.repeated()).as("messages handed over twice").isZero();
            assertThat(source.stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostIsNotRepeated() throws Exception {
        try (var bed = new SourceBed().outbox()) {
            var proxy = bed.other(new StatementProxy(bed.url()).cutNext("COMMIT"));
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(0, 9) AS s(n)");
            TopicSource source = bed.readOutbox(proxy.url(), sink, "");

            soon().until(
                    () -> bed.rows() == 0 && source.stats().failures() == 1);
            assertThat(proxy.hasCut()).isTrue();
            bed.insert("a", "behind");
            soon().until(() -> bed.rows() == 0);
            assertThat(sink.texts()).hasSize(ROWS + 1).startsWith("a:0").endsWith("a:behind");
            assertThat(sink.repeated()).isZero();
        }
    }

    /**
     * The sink takes the messages after the deadline. It gets them again, and recognises them by their keys.
     */
    @Test
    void aSinkThatIsLateGetsTheMessagesAgain() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(0, 9) AS s(n)");
            TopicSource source = bed.readOutbox(sink.hold(), "deadline = 100ms");
            soon().until(() -> sink.repeated() >= ROWS);
            assertThat(bed.rows()).isEqualTo(ROWS);
            sink.release();

            soon().until(() -> bed.rows() == 0);
            assertThat(sink.texts()).isEqualTo(ALL);
            assertThat(source.stats().failures()).isPositive();
        }
    }

    /** Without these timeouts, a node that is frozen or lost would hold its lock until TCP gives up. */
    @Test
    void theDatabaseEndsTheTransactionOfASilentNode() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            bed.execute("CREATE TABLE $t_seen (silence text, statement text);"
                    + "CREATE FUNCTION $t_look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                    + "INSERT INTO $t_seen VALUES (current_setting('idle_in_transaction_session_timeout'), "
                    + "current_setting('statement_timeout')); RETURN OLD; END $$;"
                    + "CREATE TRIGGER look BEFORE DELETE ON $t FOR EACH ROW EXECUTE FUNCTION $t_look()");
            bed.insert("a", "1");
            bed.readOutbox(sink, "deadline = 2s");

            soon().until(() -> bed.rows() == 0);
            assertThat(bed.number("SELECT count(*) FROM $t_seen WHERE silence = '7s' AND statement = '10s'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void closingEndsABatchThatTheSinkDoesNotTake() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            bed.insert("a", "1");
            TopicSource source = bed.readOutbox(sink.hold(), "");
            soon().until(() -> sink.held() == 1);
            source.close();

            soon().until(() -> bed.number("SELECT count(*) FROM pg_locks "
                    + "WHERE locktype = 'advisory' AND objid = '$t'::regclass::oid") == 0);
            assertThat(bed.rows()).isEqualTo(1);
        }
    }

    /**
     * A failover can lose rows that are published, and what was recorded of their ids. Then other rows get
     * them.
     */
    @Test
    void anotherRowOfTheSameIdIsAnotherMessage() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            bed.execute(UNDELETED);
            bed.insert("a", "lost");
            TopicSource source = bed.readOutbox(sink, "");
            soon().until(() -> source.stats().failures() >= 1);
            bed.execute("BEGIN; TRUNCATE $t RESTART IDENTITY; DROP TRIGGER keep ON $t;"
                    + "INSERT INTO $t (topic, payload) VALUES ('a', 'other'); COMMIT");

            soon().until(() -> bed.rows() == 0);
            assertThat(sink.texts()).containsExactly("a:lost", "a:other");
        }
    }

    @Test
    void rowsThatWereTakenDoNotWaitBehindSlowSubscribers() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            var refused = new AtomicBoolean();
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(0, 9) AS s(n)");
            bed.readOutbox(message -> {
                if (!message.key().contains("/5")) {
                    return sink.accept(message);
                } else if (refused.compareAndSet(false, true)) {
                    throw new IllegalStateException("refused");
                }
                return null; // too slow
            }, "deadline = 100ms");

            soon().until(() -> bed.rows() == ROWS - 4);
        }
    }

    @Test
    void rowsThatAreNotDeletedStopTheOutbox() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            bed.execute(UNDELETED);
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(0, 9) AS s(n)");
            TopicSource source = bed.readOutbox(sink, "batch-rows = 10");
            soon().until(() -> source.stats().failures() >= 2);
            assertThat(sink.texts()).isEqualTo(ALL);
            assertThat(sink.repeated()).isZero();

            bed.execute("DROP TRIGGER keep ON $t");
            soon().until(() -> bed.rows() == 0);
            assertThat(sink.texts()).isEqualTo(ALL);
            assertThat(sink.repeated()).isZero();
        }
    }
}
