package io.sluice.handlers.http;

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

/**
 * End of an answer, which its worker has written and the event loop sends: all of it where it is small, its
 * last piece, or the part that has been kept on disk. Owns its buffers until it is sent or released.
 */
final class AnswerRest extends AbstractReferenceCounted {
    private final Exchange exchange;
    private final HttpHeaders headers;
    private final ResponseStream stream;
    private final ByteBuf tail;
    private final Spill spill;

    /**
     * The rest of an answer.
     *
     * @param stream null where nothing has been sent
     * @param tail owned by the rest from here on; null where all of it is on disk
     * @param spill owned by the rest from here on; null where nothing is on disk
     */
    AnswerRest(Exchange exchange, HttpHeaders headers, ResponseStream stream, ByteBuf tail, Spill spill) {
        this.exchange = exchange;
        this.headers = headers;
        this.stream = stream;
        this.tail = tail;
        this.spill = spill;
    }

    /** Sends it, on the event loop, and releases it. */
    void send() {
        if (stream == null) {
            exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                    tail.retain(), headers, EmptyHttpHeaders.INSTANCE));
        } else if (spill == null) {
            stream.write(tail.retain());
            stream.end();
        } else {
            new SpilledBody(exchange, stream, spill.retain(), spill.readers()).send();
        }
        release();
    }

    @Override
    protected void deallocate() {
        ReferenceCountUtil.release(tail);
        ReferenceCountUtil.release(spill);
    }

    @Override
    public AnswerRest touch(Object hint) {
        ReferenceCountUtil.touch(tail, hint);
        return this;
    }
}
