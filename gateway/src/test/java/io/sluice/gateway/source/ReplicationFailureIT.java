package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.offload.source.Message;
import io.sluice.offload.source.TopicSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Changes that cannot be published stop a slot until the cause or the change is gone. */
class ReplicationFailureIT {
    private static final Pattern REMEDY =
            Pattern.compile("SELECT pg_replication_slot_advance\\('\\w+', '\\p{XDigit}+/\\p{XDigit}+'\\)");

    private final RecordingSink sink = new RecordingSink();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TopicSource.class);
    private final LoggedEvents events = new LoggedEvents();
    private SourceBed bed;

    @BeforeEach
    void create() throws SQLException {
        events.start();
        logger.addAppender(events);
        bed = new SourceBed();
        bed.execute("CREATE TABLE $t (id int PRIMARY KEY, name text, body text)");
    }

    @AfterEach
    void close() {
        logger.detachAppender(events);
        bed.close();
    }

    private String warning() {
        soon().until(() -> !events.list.isEmpty());
        return events.list.stream().map(ILoggingEvent::getFormattedMessage).findFirst().orElseThrow();
    }

    /** Skips a transaction as the warning says. The slot is free between two attempts of the source. */
    private void skip(String warning) {
        Matcher remedy = REMEDY.matcher(warning);
        assertThat(remedy.find()).as(warning).isTrue();
        soon().ignoreExceptions().until(() -> {
            bed.execute(remedy.group());
            return true;
        });
    }

    @Test
    void aChangeBeyondTheLimitStopsTheSlotUntilItIsSkipped() throws SQLException {
        bed.execute("CREATE TABLE $t_other (body text)");
        bed.slot("$t, $t_other");
        TopicSource source = bed.readSlot(sink, "tables { " + bed.name + " = \"rows.{id}\" }, "
                + "batch-size = 4KiB");
        bed.execute("INSERT INTO $t_other VALUES (repeat('x', 5000))");
        bed.execute("INSERT INTO $t VALUES (1)");
        bed.execute("INSERT INTO $t VALUES (2, repeat('x', 5000))");
        bed.execute("INSERT INTO $t VALUES (3)");

        soon().until(() -> source.stats().failures() >= 2);
        assertThat(sink.messages()).extracting(Message::topic).containsExactly("rows.1");
        String warning = warning();
        assertThat(warning).contains("INSERT of table " + bed.name + ": it has 50",
                "bytes, more than source.batch-size (4KiB)");
        skip(warning);
        soon().until(() -> sink.size() == 2);
        assertThat(sink.messages()).extracting(Message::topic).containsExactly("rows.1", "rows.3");
        assertThat(sink.repeated()).isZero();
    }

    /** With a column of another name, no template has topics for both the changes before and behind. */
    @Test
    void changesBeforeAFailedOneAreConfirmed() throws SQLException {
        bed.slot("$t");
        sink.hold();
        TopicSource source = bed.readSlot(sink, "tables { " + bed.name + " = \"rows.{id}\" }");
        soon().until(() -> source.stats().active());
        try (Connection own = bed.connect()) {
            bed.execute(own, "BEGIN; INSERT INTO $t VALUES (1); COMMIT; "
                    + "BEGIN; ALTER TABLE $t RENAME COLUMN id TO number; INSERT INTO $t VALUES (2); COMMIT");
        }
        soon().until(() -> sink.held() == 1);
        sink.release();
        soon().until(() -> source.stats().failures() == 1);
        source.close();
        assertThat(warning())
                .contains("no value of column id for topic rows.{id}", "pg_replication_slot_advance");

        bed.readSlot(sink, "tables { " + bed.name + " = \"rows.{number}\" }");
        soon().until(() -> sink.size() == 2);
        assertThat(sink.messages()).extracting(Message::topic).containsExactly("rows.1", "rows.2");
        assertThat(sink.repeated()).isZero();
    }
}
