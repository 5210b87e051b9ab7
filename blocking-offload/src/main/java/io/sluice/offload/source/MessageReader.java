package io.sluice.offload.source;

import java.sql.SQLException;

/** Reads the messages of a database. Confined to the thread of its source, except for {@link #abort}. */
interface MessageReader {

    /**
     * Reads for a while: hands over the messages that are there, or waits for some. Connects if it is not
     * connected. Blocks, and returns soon after the stop signal.
     *
     * @throws SQLException if the database failed: it must be disconnected from
     * @throws SourceException if messages cannot be read or handed over; they can be read again
     */
    void read() throws SQLException, SourceException, InterruptedException;

    /** Ends the connections, if there are any. What is not confirmed will be read again. */
    void disconnect();

    /** Breaks the connections, so that the thread does not wait for the database. Any thread. */
    void abort();

    /** Returns what is read, for messages. */
    String description();
}
