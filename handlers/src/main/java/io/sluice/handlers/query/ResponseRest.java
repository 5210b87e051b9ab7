package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCountUtil;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.spill.Spill;
import org.jspecify.annotations.Nullable;

/**
 * The unsent rest of a response that a worker has written: all of a small one, the last piece, or the part on
 * disk. The event loop sends it. Owns its buffers until it is sent or released.
 */
final class ResponseRest extends AbstractReferenceCounted {
    private final Exchange exchange;
    private final HttpResponseStatus status;
    private final HttpHeaders headers;
    private final HttpHeaders trailers;
    private final @Nullable ResponseStream stream;
    private final ByteBuf tail;
    private final @Nullable Spill spill;

    /**
     * Creates a rest.
     *
     * @param trailers are sent if there is a stream
     * @param stream null if nothing has been sent
     * @param tail owned by the rest from here on; empty if all of it is on disk
     * @param spill owned by the rest from here on; null if nothing is on disk
     */
    ResponseRest(Exchange exchange, HttpResponseStatus status, HttpHeaders headers, HttpHeaders trailers,
               @Nullable ResponseStream stream, ByteBuf tail, @Nullable Spill spill) {
        this.exchange = exchange;
        this.status = status;
        this.headers = headers;
        this.trailers = trailers;
        this.stream = stream;
        this.tail = tail;
        this.spill = spill;
    }

    /** Sends and releases it. On the event loop. */
    void send() {
        try {
            if (stream == null) {
                exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                        tail.retain(), headers, EmptyHttpHeaders.INSTANCE));
            } else if (spill == null) {
                stream.write(tail.retain());
                stream.end(trailers);
            } else {
                new SpilledBody(exchange, stream, spill.retain(), spill.workers(), trailers).send();
            }
        } finally {
            release();
        }
    }

    @Override
    protected void deallocate() {
        tail.release();
        ReferenceCountUtil.release(spill);
    }

    @Override
    public ResponseRest touch(Object hint) {
        tail.touch(hint);
        return this;
    }
}
