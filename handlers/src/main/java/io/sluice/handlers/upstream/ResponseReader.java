package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;

/** Receives the response to an {@link UpstreamRequest}, on the event loop of its stream. */
public interface ResponseReader {
    /** The number of informational responses to one request; a further one is malformed. */
    int MAX_INFORMATIONAL = 100;

    /** Receives an informational response (1xx) but 101. */
    void informational(HttpResponse head);

    /** Receives the head of the final response; its headers may be changed. */
    void head(HttpResponse head);

    /** Receives the 101 that ends HTTP on the connection, which belongs to the reader from here on. */
    void switched(HttpResponse head, SwitchedConnection connection);

    /** Receives a piece of the body, which the reader owns from here on. */
    void content(ByteBuf piece);

    /** Called after the last byte of the response. The stream must not be used any more. */
    void end(HttpHeaders trailers);

    /** Called when all bytes that have arrived are delivered: the time to send them on. */
    void readComplete();

    /** Called when {@link UpstreamStream#isWritable()} becomes true again. */
    void writable();

    /** Called if the response does not arrive, or not completely. The stream must not be used any more. */
    void failed(UpstreamException cause);
}
