package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * One request to an endpoint and its response: an HTTP/1.1 connection for as long as it carries them, or a
 * stream of HTTP/2. Confined to its event loop. After the end of both, or a failure, all methods do nothing.
 */
public interface UpstreamStream {

    /** Returns the endpoint. */
    Endpoint endpoint();

    /** Returns whether the connection has carried another request before: the endpoint may be closing it. */
    boolean isReused();

    /** Returns, after a failure, whether the endpoint may have closed the connection while it was idle. */
    default boolean isStale() {
        return isReused();
    }

    /**
     * Returns, after a failure, whether a connection of many requests has ended, which had served others
     * before: that is one failure, whatever their number.
     */
    default boolean isLost() {
        return false;
    }

    /**
     * Returns whether the endpoint may refuse the request before it does anything for it: whatever it is, it
     * can be sent again then.
     */
    default boolean mayBeRefused() {
        return isReused();
    }

    /** Writes the head of the request; {@link #flush()} sends it. To be called once, before all others. */
    void send(UpstreamRequest request, ResponseReader reader);

    /**
     * Writes a piece of the request's body. Never blocks: a writer that continues while {@link #isWritable()}
     * is false exhausts the memory.
     *
     * @param piece owned by the stream from here on
     */
    void write(ByteBuf piece);

    /** Ends the request's body with trailers, which may be empty. */
    void end(HttpHeaders trailers);

    /** Sends what has been written. */
    void flush();

    /** Returns whether the endpoint reads the request as fast as it is written. */
    boolean isWritable();

    /** Stops reading the response until {@link #resume()}. What has been read, up to 64 KiB, still comes. */
    void pause();

    /** Resumes reading. */
    void resume();

    /** Ends request and response at once, and the connection if it cannot carry others; calls no one back. */
    void cancel();
}
