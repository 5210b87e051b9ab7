package io.sluice.offload.source;

/**
 * A snapshot of a source.
 *
 * @param messages the number that the sink has taken and that the database was told of
 * @param batches how often the database was told
 * @param failures the number of failed attempts
 * @param lagSeconds the age of the oldest row of an outbox; 0 if there is none, or another node reads it
 * @param lagBytes the log that a replication slot keeps
 * @param active whether this node is the one that reads; of idle nodes, several may have been in turn
 */
public record SourceStats(long messages, long batches, long failures, double lagSeconds, long lagBytes,
                          boolean active) {
}
