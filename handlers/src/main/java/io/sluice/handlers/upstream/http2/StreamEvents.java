package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Receives the events of one stream, on its event loop. */
public interface StreamEvents {

    /** Receives a header block: an informational response, the head, or the trailers. */
    void headers(ResponseFields fields, boolean end);

    /**
     * Receives a part of the body.
     *
     * @param data owned by the caller
     * @param padding the size of what else counts for flow control
     * @return the credit that the endpoint gets at once
     */
    int data(ByteBuf data, int padding, boolean end);

    /** Called when all events that have arrived are delivered. */
    void readComplete();

    /** Called when the endpoint may have given credit for the request, or taken it. */
    void writabilityChanged();

    /**
     * Called if the stream fails, which is reset then: the endpoint violates the protocol on it, or limits
     * the size of its request's fields.
     */
    void malformed(Throwable cause);

    /** Called with the endpoint's reset; the end of the stream follows. */
    void reset(StreamReset cause);

    /**
     * Called at the end of the stream; events of its response came before.
     *
     * @param refused whether the endpoint has done nothing for the request, as GOAWAY says
     */
    void closed(boolean refused, @Nullable Throwable cause);
}
