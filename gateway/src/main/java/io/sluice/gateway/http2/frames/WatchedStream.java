package io.sluice.gateway.http2.frames;

/** A stream that checks the pace of its client and gets events of its connection. On the event loop. */
public interface WatchedStream {

    /** Reports that so many bytes of its response have been written to the connection. */
    void sent(int bytes);

    /** Reports an event of the connection. */
    void connectionEvent(Object event);

    /**
     * Checks the pace of the client.
     *
     * @param unsent whether bytes of the response have not been written yet
     * @param blocked whether they wait for the client's flow-control window, not for their turn or the socket
     * @param arrived how many bytes have arrived of a DATA frame whose end is missing
     * @param now in nanoseconds, by the event loop's clock
     * @return whether the stream has been aborted
     */
    boolean check(boolean unsent, boolean blocked, int arrived, long now);
}
