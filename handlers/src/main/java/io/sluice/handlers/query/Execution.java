package io.sluice.handlers.query;

import io.sluice.offload.WorkScope;
import java.sql.Connection;

/**
 * One execution of a query, on a worker.
 *
 * @param pages the sizes in which rows are fetched
 * @param answer the response that the execution writes
 */
record Execution(Connection connection, WorkScope scope, RowRequest request, ResultPages pages,
                 BlockingResponse answer) {
}
