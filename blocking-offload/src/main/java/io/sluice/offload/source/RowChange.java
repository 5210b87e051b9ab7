package io.sluice.offload.source;

import org.jspecify.annotations.Nullable;

/**
 * A change of a row.
 *
 * @param before what is known of the row before; null if nothing is, or its key is that of {@code after}
 * @param after the row after the change; null if it is deleted
 */
record RowChange(LogMessage.Kind kind, Relation relation, @Nullable RowValues before,
                 @Nullable RowValues after) {
}
