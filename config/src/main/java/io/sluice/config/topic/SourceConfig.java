package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.SqlName;
import io.sluice.config.type.TableName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The source of messages of topics: {@code source} in {@code sluice.topics.<name>}. Either an outbox
 * table, or changes of tables by logical replication.
 *
 * @param outbox the table whose rows are messages
 * @param publication the publication with the tables
 * @param slot the replication slot that keeps its place
 * @param tables by the name of a table, with or without its schema, the topic of changes to a row
 * @param batchRows the largest number of messages that are not confirmed to the database
 * @param batchSize their memory
 * @param pollInterval the time between two looks into an empty outbox, or for a slot that another node uses
 * @param listen whether a NOTIFY on a channel of the outbox's name ends the wait
 * @param deadline the time until topics have a batch
 */
public record SourceConfig(
        @Ref("databases") String database,
        Optional<TableName> outbox,
        Optional<SqlName> publication,
        Optional<SqlName> slot,
        Map<String, TopicTemplate> tables,
        @Range(min = 1, max = 10_000) int batchRows,
        @Range(min = 1024, max = 256 * Range.MIB) ByteSize batchSize,
        @Range(min = 10, max = Range.HOUR) Duration pollInterval,
        boolean listen,
        @Range(min = 100, max = 30_000) Duration deadline) {
}
