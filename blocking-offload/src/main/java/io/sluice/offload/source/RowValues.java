package io.sluice.offload.source;

import org.jspecify.annotations.Nullable;

/**
 * The values of a row in PostgreSQL's text format, in the order of the columns.
 *
 * @param values null for SQL's NULL, {@link #UNCHANGED} for large values that the database does not repeat
 */
record RowValues(byte[] @Nullable [] values) {
    /** Compared by identity. */
    static final byte[] UNCHANGED = new byte[0];

    byte @Nullable [] get(int column) {
        return values[column];
    }

    boolean isUnchanged(int column) {
        return values[column] == UNCHANGED;
    }
}
