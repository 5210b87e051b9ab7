package io.sluice.gateway.pipeline;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.pipeline.ResponseEncoder.HeadResponse;
import java.util.concurrent.atomic.AtomicBoolean;

/** The one answer of an exchange: whole or streamed, claimed from any thread, written on the event loop. */
final class Answer {
    /** What a request whose client went away is counted as; no client ever sees it. */
    static final int CLIENT_GONE = 499;

    private final HttpExchange exchange;
    private final ChannelHandlerContext ctx;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile HttpResponseStream stream;
    private int status;
    private long bytesSent;

    Answer(HttpExchange exchange, ChannelHandlerContext ctx) {
        this.exchange = exchange;
        this.ctx = ctx;
    }

    /** Whether the caller may answer: the first one may. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    boolean isStreamed() {
        return stream != null;
    }

    /** Writes a whole answer. */
    void send(FullHttpResponse response) {
        if (exchange.isOver()) {
            response.release();
            return;
        }
        status = response.status().code();
        bytesSent = response.content().readableBytes();
        boolean keepAlive = exchange.prepare(response, bytesSent);
        if (isHead()) {
            response.release();
            writeHead(response);
            ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, ctx.voidPromise());
        } else {
            ctx.writeAndFlush(response, ctx.voidPromise());
        }
        exchange.end(keepAlive);
    }

    private boolean isHead() {
        return exchange.request().method().equals(HttpMethod.HEAD);
    }

    private void writeHead(HttpResponse head) {
        ctx.write(isHead() ? new HeadResponse(head.protocolVersion(), head.status(), head.headers()) : head,
                ctx.voidPromise());
    }

    /** Prepares a streamed answer, on the thread that will write it. */
    HttpResponseStream stream(HttpResponse head) {
        stream = new HttpResponseStream(this, ctx, head, isHead());
        return stream;
    }

    /** Writes a streamed answer's head. */
    void begin(HttpResponse head) {
        if (!exchange.isOver()) {
            status = head.status().code();
            stream.keepAlive(exchange.prepare(head, stream.declaredLength()));
            writeHead(head);
        }
    }

    /** All of a streamed answer has been written. */
    void streamed(long bytes, boolean keepAlive) {
        if (!exchange.isOver()) {
            bytesSent = bytes;
            ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, ctx.voidPromise());
            exchange.end(keepAlive);
        }
    }

    /** A streamed answer cannot be completed. */
    void broken(Throwable cause) {
        exchange.fail(cause);
    }

    /** Nobody is there for it any more. */
    void abandon() {
        claimed.set(true);
        status = status == 0 ? CLIENT_GONE : status;
        bytesSent = stream == null ? bytesSent : stream.written();
    }

    void wakeWriter() {
        if (stream != null) {
            stream.wakeWriter();
        }
    }

    int status() {
        return status;
    }

    long bytesSent() {
        return bytesSent;
    }
}
