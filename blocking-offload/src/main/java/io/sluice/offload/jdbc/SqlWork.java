package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;

/**
 * A task with a database connection, in a transaction of its own: committed on return, otherwise rolled back.
 * A task of a single statement may set its connection to auto-commit, which saves a round trip.
 */
@FunctionalInterface
public interface SqlWork<T> {

    /** Runs on a worker, with a connection that is valid until it returns. */
    T run(Connection connection, WorkScope scope) throws Exception;
}
