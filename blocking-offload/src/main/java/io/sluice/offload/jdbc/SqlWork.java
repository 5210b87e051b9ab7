package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;

/** A task with a database connection. Its transaction is committed on return, otherwise rolled back. */
@FunctionalInterface
public interface SqlWork<T> {

    /** Runs on a worker, with a connection that is valid until it returns. */
    T run(Connection connection, WorkScope scope) throws Exception;
}
