package io.sluice.handlers.topic;

/** The server of a bus, for tests. */
public interface BusServer extends AutoCloseable {

    /** Connects another gateway, and returns its bus. */
    Bus connect() throws Exception;

    /** Cuts all connections; the gateways connect again. */
    void cut() throws Exception;

    /** Stops the server. */
    void stop() throws Exception;

    /** Starts the server again, without the data that it had. */
    void startEmpty() throws Exception;

    /**
     * Returns an action by which the server loses what is reported from now on of the members of a topic of
     * the set {@code set}, as a failover may.
     */
    Runnable rememberMembers(String topic) throws Exception;

    @Override
    void close();
}
