package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.message.Trailers;

/** The body of a response, written in pieces, by one thread at a time. */
public interface ResponseStream {

    /**
     * Writes a piece, which is sent soon: together with others that are written during the same task of the
     * event loop. Never blocks: a writer that continues while {@link #isWritable()} is false exhausts the
     * memory.
     *
     * @param content owned by the stream from here on; released unsent if the exchange has ended
     */
    void write(ByteBuf content);

    /**
     * Lets the kernel send a piece of a file, which is not read by the gateway then. On the event loop. The
     * stream is not writable until the piece is sent, or abandoned with less of it transferred.
     *
     * @param piece owned by the stream from here on, if the result is true
     * @return false if this stream does not support it; the file must be read and written then
     */
    default boolean sendFile(FileRegion piece) {
        return false;
    }

    /**
     * Sends what has been written, the head too. Needed only if the first piece is late, as the head waits
     * for a piece or the end otherwise.
     */
    void flush();

    /**
     * Returns whether the client reads the response as fast as it is written, and there is memory for more of
     * it. Any thread.
     */
    boolean isWritable();

    /**
     * Registers an action that runs on the event loop each time the stream becomes writable again, or ends.
     */
    void onWritable(Runnable action);

    /** Ends the body, without trailers. */
    default void end() {
        end(EmptyHttpHeaders.INSTANCE);
    }

    /**
     * Ends the body with trailers (RFC 9110 section 6.5). They are sent over HTTP/2, and over HTTP/1.1 with a
     * chunked body. Otherwise they are dropped: over HTTP/1.1 with a Content-Length, over HTTP/1.0, within a
     * WebSocket, and if the response has no body, as to HEAD.
     *
     * @param trailers must not be changed from here on
     * @throws IllegalArgumentException if a name or a value is malformed, or a field is not allowed as a
     *     trailer: see {@link Trailers}
     */
    void end(HttpHeaders trailers);
}
