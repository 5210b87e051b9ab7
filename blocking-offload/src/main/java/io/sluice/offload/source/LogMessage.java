package io.sluice.offload.source;

import java.nio.ByteBuffer;
import java.util.List;

/** A message of PostgreSQL's plug-in pgoutput, in the order of commits. */
sealed interface LogMessage {

    /**
     * A transaction begins.
     *
     * @param commit the position of its commit in the log
     * @param time of its commit, in microseconds since 2000
     */
    record Begin(long commit, long time) implements LogMessage {
    }

    /**
     * A row has changed.
     *
     * @param values those before and after, for {@link PgOutput#row}
     */
    record Change(Kind kind, Relation relation, ByteBuffer values) implements LogMessage {
    }

    /** All rows of tables are deleted. */
    record Truncate(List<Relation> relations) implements LogMessage {
    }

    /**
     * A transaction ends.
     *
     * @param end the position after its commit in the log
     */
    record Commit(long end) implements LogMessage {
    }

    /** Something that is no change. */
    record Other() implements LogMessage {
    }

    /** The kind of a change. */
    enum Kind { INSERT, UPDATE, DELETE }
}
