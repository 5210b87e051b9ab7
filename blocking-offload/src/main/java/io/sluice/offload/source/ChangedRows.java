package io.sluice.offload.source;

import io.sluice.config.topic.SourceConfig;
import io.sluice.config.topic.TopicTemplate;
import io.sluice.config.type.TableName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes messages of changes: a topic by the table's template, JSON, and a key by the place in the log. */
final class ChangedRows {
    private static final Logger log = LoggerFactory.getLogger(ChangedRows.class);

    private final SourceConfig config;
    private final Map<TableName, TopicTemplate> topics = new HashMap<>();
    /** The tables about which a warning was logged. */
    private final Set<TableName> warned = new HashSet<>();
    private LogMessage.Begin transaction = new LogMessage.Begin(0, 0);
    private long number;

    ChangedRows(SourceConfig config) {
        this.config = config;
        config.tables().forEach((table, topic) -> topics.put(TableName.parse(table), topic));
    }

    /** Begins another transaction. */
    void begin(LogMessage.Begin begin) {
        transaction = begin;
        number = 0;
    }

    /** Returns the place of the latest change. */
    ChangePlace place() {
        return new ChangePlace(transaction.commit(), number);
    }

    /**
     * Returns the message of the next change; null if its table is not published.
     *
     * @throws SourceException if it cannot be published
     */
    @Nullable Message of(LogMessage.Change change) throws SourceException {
        number++;
        TopicTemplate topic = topic(change.relation());
        if (topic == null) {
            return null;
        }
        int bytes = change.values().remaining();
        if (bytes > config.batchSize().bytes()) {
            throw stopped(change, "it has %d bytes, more than source.batch-size (%s); raise that"
                    .formatted(bytes, config.batchSize()), null);
        }
        try {
            RowChange row = PgOutput.row(change);
            return message(topic(topic, row), ChangeJson.of(row));
        } catch (RuntimeException e) {
            throw stopped(change, String.valueOf(e.getMessage()), e);
        }
    }

    /** The position lies in the record of the commit: the database leaves out what commits before it. */
    private SourceException stopped(LogMessage.Change change, String reason, @Nullable Throwable cause) {
        return new SourceException(("%s of table %s: %s; or skip the transaction: "
                + "SELECT pg_replication_slot_advance('%s', '%s')").formatted(change.kind(),
                change.relation().table(), reason, config.slot().orElseThrow(),
                LogSequenceNumber.valueOf(transaction.commit() + 1).asString()), cause);
    }

    /** Returns the message of the next truncation; null if no single topic is that of the table. */
    @Nullable Message ofTruncate(Relation relation) {
        number++;
        TopicTemplate topic = topic(relation);
        if (topic != null && !topic.columns().isEmpty()) {
            log.warn("table {} was truncated, which no message tells, as each row has its own topic ({})",
                    relation.table(), topic);
            return null;
        }
        return topic == null ? null : message(topic.toString(), ChangeJson.ofTruncate(relation));
    }

    private @Nullable TopicTemplate topic(Relation relation) {
        TopicTemplate topic = topics.get(relation.table());
        if (topic == null && warned.add(relation.table())) {
            log.warn("table {} is in publication {}, but not in source.tables: its changes are not published",
                    relation.table(), config.publication().orElseThrow());
        }
        return topic;
    }

    private static String topic(TopicTemplate template, RowChange change) {
        for (String column : template.columns()) {
            int index = change.relation().indexOf(column);
            if (index < 0 || !isKnown(change, index)) {
                throw new IllegalStateException(("no value of column %s for topic %s; use columns that all "
                        + "changes have, those of the replica identity").formatted(column, template));
            }
        }
        return template.of(column -> value(change, change.relation().indexOf(column)));
    }

    private static boolean isKnown(RowChange change, int column) {
        RowValues after = change.after();
        return after == null ? change.relation().columns().get(column).key()
                : !ChangeJson.isUnknown(after, change.before(), column);
    }

    private static String value(RowChange change, int column) {
        RowValues after = change.after();
        RowValues before = change.before();
        byte[] value = after != null ? ChangeJson.value(after, before, column)
                : before != null ? before.get(column) : null;
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    /** The commit's time tells transactions apart that have one place, after a failover with a loss. */
    private Message message(String topic, byte[] json) {
        return new Message(topic, true, json, "%s/%s/%s/%d/%d".formatted(config.database(),
                config.slot().orElseThrow(), LogSequenceNumber.valueOf(transaction.commit()).asString(),
                transaction.time(), number));
    }
}
