package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;

/**
 * Work with a database connection, in a transaction of its own: committed on return, else rolled back.
 * Work that is a single statement may set its connection to commit by itself, which saves a round trip.
 */
@FunctionalInterface
public interface SqlWork<T> {

    /** Does it, on a worker. */
    T run(Connection connection, WorkScope scope) throws Exception;
}
