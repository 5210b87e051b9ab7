package io.sluice.handlers;

import java.time.Duration;

/** A server of one handler, a client of it, and a clock that only the test moves. */
public interface Served extends AutoCloseable {

    /**
     * Begins a request for {@code /exchange} with the query parameter {@code q} of 1.
     *
     * @param bodyLength in bytes; 0 for no body, -1 where the client does not tell the length
     */
    ClientRequest begin(String method, int bodyLength);

    /** Returns when the server has done what it can do by now. */
    void settle();

    /** Lets time pass, and what is due then happen. */
    void pass(Duration time);

    @Override
    void close();
}
