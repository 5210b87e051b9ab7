package io.sluice.loadtest.experiments.driver;

/** One connection with at most one request in flight. */
interface Connection {

    /** Sends the request of an exchange; the connection must be free. */
    void send(Exchange next);
}
