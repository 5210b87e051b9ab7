package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;

/** The body of an answer, written piece by piece, from one thread at a time. */
public interface ResponseStream {

    /**
     * Writes a piece. Never blocks: a writer that goes on while {@link #isWritable()} is false fills
     * the memory.
     *
     * @param content owned by the stream from here on; released unsent where the exchange has ended
     */
    void write(ByteBuf content);

    /**
     * Lets the kernel send a piece of a file, which nobody has to read then. On the event loop. Until it is
     * sent, or given up with less of it transferred, the stream is not writable.
     *
     * @param piece owned by the stream from here on, where the answer is true
     * @return false where this stream cannot: its pieces are to be read and written
     */
    default boolean sendFile(FileRegion piece) {
        return false;
    }

    /** Whether the client takes the answer as fast as it is written. Any thread. */
    boolean isWritable();

    /** Calls the action on the event loop each time the stream becomes writable again, or ends. */
    void onWritable(Runnable action);

    /** Ends the body, without trailers. */
    default void end() {
        end(EmptyHttpHeaders.INSTANCE);
    }

    /**
     * Ends the body with trailers (RFC 9110 section 6.5). They are sent over HTTP/2, and over HTTP/1.1 behind
     * a body in chunks. They are dropped elsewhere: over HTTP/1.1 with a Content-Length, over HTTP/1.0, on a
     * socket, and where the answer has no body, as to HEAD.
     *
     * @param trailers not to be changed from here on
     * @throws IllegalArgumentException where a name or a value is malformed, or a field may not be a trailer:
     *     see {@link Trailers}
     */
    void end(HttpHeaders trailers);
}
