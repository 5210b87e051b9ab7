package io.sluice.handlers.http;

import io.sluice.handlers.files.Conditions;
import io.sluice.handlers.rows.Representation;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for about the rows of its response.
 *
 * @param mediaType that of the response
 * @param conditions null if they do not matter
 */
record RowRequest(Representation representation, CharSequence mediaType, @Nullable Conditions conditions) {
}
