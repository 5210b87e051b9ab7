package io.sluice.loadtest.experiments.peer;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.sql.SQLException;

/** Queries a database over as many connections as the gateway has. Thread-safe. */
public sealed interface Queries permits ItemDatabase, SleepyDatabase {

    /** The number of connections, and so of concurrent queries. */
    int CONNECTIONS = 10;

    /**
     * Runs the query of a request; blocks until a connection is free, and then until the query is complete.
     */
    Answer answer(QueryStringDecoder uri) throws SQLException;
}
