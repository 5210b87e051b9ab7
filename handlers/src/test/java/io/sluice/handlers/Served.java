package io.sluice.handlers;

import java.time.Duration;

/** A server with one handler, a client, and a clock that only the test advances. */
public interface Served extends AutoCloseable {

    /**
     * Begins a request for {@code /exchange} with the query parameter {@code q} of 1.
     *
     * @param bodyLength in bytes; 0 for no body, -1 if the client does not declare it
     */
    ClientRequest begin(String method, int bodyLength);

    /** Returns when the server has nothing more to do. */
    void settle();

    /** Advances the clock; the server does what becomes due. */
    void pass(Duration time);

    @Override
    void close();
}
