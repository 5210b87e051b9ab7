package io.sluice.handlers.topic;

/** A server of a bus, for tests. */
public interface BusServer extends AutoCloseable {

    /** The bus of another gateway. */
    Bus connect() throws Exception;

    /** Cuts all connections; the gateways connect again. */
    void cut() throws Exception;

    /** Stops the server. */
    void stop() throws Exception;

    /** Starts the server again, without anything that it had. */
    void startEmpty() throws Exception;

    @Override
    void close();
}
