package io.sluice.offload.source;

import java.util.List;

/**
 * The first rows of an outbox.
 *
 * @param rows in the order of their ids
 * @param age that of the first row, in seconds
 * @param hasMore whether there were more rows
 */
record OutboxBatch(List<Row> rows, double age, boolean hasMore) {

    /** A row. */
    record Row(long id, Message message) {
    }
}
