package io.sluice.handlers.query;

import io.sluice.handlers.files.Conditions;
import io.sluice.handlers.rows.Representation;
import io.sluice.handlers.selection.Selection;
import io.sluice.handlers.write.WriteRequest;
import org.jspecify.annotations.Nullable;

/**
 * The representation and selection of rows that a request asks for.
 *
 * @param mediaType that of the response
 * @param conditions null if they do not matter
 * @param selection null for all rows
 * @param write null unless the query has the key {@code write}
 */
record RowRequest(Representation representation, CharSequence mediaType, @Nullable Conditions conditions,
                  @Nullable Selection selection, @Nullable WriteRequest write) {
}
