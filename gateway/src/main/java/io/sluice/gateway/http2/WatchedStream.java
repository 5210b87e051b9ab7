package io.sluice.gateway.http2;

/** A stream whose client must not keep it waiting. On the connection's event loop. */
public interface WatchedStream {

    /** So many bytes of its answer have been written, as its client's window allows. */
    void sent(int bytes);

    /**
     * Looks at its client's pace.
     *
     * @param unread whether bytes of its answer wait for the client's window
     * @param now in nanoseconds, by the event loop's clock
     * @return whether it has been cut off
     */
    boolean look(boolean unread, long now);
}
