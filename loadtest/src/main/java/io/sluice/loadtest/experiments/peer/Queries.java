package io.sluice.loadtest.experiments.peer;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.sql.SQLException;

/** Answers from a database, over as many connections as the gateway has. Thread-safe. */
public sealed interface Queries permits ItemDatabase, SleepyDatabase {

    /** Connections, and so queries at a time. */
    int CONNECTIONS = 10;

    /** Blocks until a connection is free, and then until the query is answered. */
    Answer answer(QueryStringDecoder uri) throws SQLException;
}
