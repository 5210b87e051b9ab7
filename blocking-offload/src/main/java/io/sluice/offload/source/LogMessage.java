package io.sluice.offload.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
     * @param before what is known of the row before; null if nothing is, or its key is that of {@code after}
     * @param after the row after the change; null if it is deleted
     */
    record Change(Kind kind, Relation relation, @Nullable RowValues before, @Nullable RowValues after)
            implements LogMessage {
    }

    /** All rows of tables are deleted. */
    record Truncate(List<Relation> relations) implements LogMessage {
    }

    /**
     * A transaction ends.
     *
     * @param end the position behind its commit in the log
     */
    record Commit(long end) implements LogMessage {
    }

    /** Something that is no change. */
    record Other() implements LogMessage {
    }

    /** The kind of a change. */
    enum Kind { INSERT, UPDATE, DELETE }
}
