package io.sluice.handlers.http;

import io.sluice.handlers.files.Conditions;
import io.sluice.handlers.rows.Representation;
import io.sluice.handlers.selection.Selection;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for about the rows of its response.
 *
 * @param mediaType that of the response
 * @param conditions null if they do not matter
 * @param selection null for all rows
 */
record RowRequest(Representation representation, CharSequence mediaType, @Nullable Conditions conditions,
                  @Nullable Selection selection) {
}
