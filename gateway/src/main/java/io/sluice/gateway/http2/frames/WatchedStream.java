package io.sluice.gateway.http2.frames;

/** A stream that must not be kept waiting, by its client above all. On the connection's event loop. */
public interface WatchedStream {

    /** So many bytes of its answer have been written, as its client's window allows. */
    void sent(int bytes);

    /** Its connection has been told of an event, which is for its streams, too. */
    void told(Object event);

    /**
     * Looks at its client's pace.
     *
     * @param unsent whether bytes of its answer have not been written yet
     * @param blocked whether they wait for the client's window, and not for their turn or for the socket
     * @param now in nanoseconds, by the event loop's clock
     * @return whether it has been cut off
     */
    boolean look(boolean unsent, boolean blocked, long now);
}
