package io.sluice.config.bulk;

import io.sluice.config.key.Range;

/**
 * The import of many rows by one request: {@code bulk}.
 *
 * @param rows the most rows of a request
 * @param batch the rows that the database gets at a time
 */
public record BulkConfig(@Range(min = 1, max = 1_000_000_000) int rows,
                         @Range(min = 1, max = 10_000) int batch) {
}
