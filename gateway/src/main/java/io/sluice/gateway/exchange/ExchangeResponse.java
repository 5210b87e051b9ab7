package io.sluice.gateway.exchange;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.limits.UnsentMemory;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The response of an exchange, sent whole or streamed. Any thread may respond; the event loop writes. */
final class ExchangeResponse {
    private static final Logger log = LoggerFactory.getLogger(ExchangeResponse.class);

    private static final AtomicIntegerFieldUpdater<ExchangeResponse> GIVEN =
            AtomicIntegerFieldUpdater.newUpdater(ExchangeResponse.class, "given");

    private final HttpExchange exchange;
    private volatile int given;
    private volatile @Nullable HttpResponseStream stream;
    /** The status; 0 until the response begins. */
    private int status;
    private long bytesSent;

    ExchangeResponse(HttpExchange exchange) {
        this.exchange = exchange;
    }

    private ChannelHandlerContext ctx() {
        return exchange.context();
    }

    /** Returns whether the caller may respond; only the first call does so. */
    private boolean claim() {
        return GIVEN.compareAndSet(this, 0, 1);
    }

    /** Returns the streamed response that has begun; null if there is none. */
    @Nullable HttpResponseStream stream() {
        return stream;
    }

    /** Returns how many bytes of a streamed response's body have been written or dropped. */
    long written() {
        return stream == null ? 0 : stream.written();
    }

    boolean isWhole() {
        return given != 0 && stream == null;
    }

    /** Sends an informational response, unless the final response has begun by then. Any thread. */
    void inform(HttpResponse head) {
        var informational = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, head.status(),
                Unpooled.EMPTY_BUFFER, new FlatHeaders(1).add(head.headers()), EmptyHttpHeaders.INSTANCE);
        exchange.onLoop(() -> {
            if (claimInformational(informational.status())) {
                ctx().writeAndFlush(informational, ctx().voidPromise());
            }
        });
    }

    private boolean claimInformational(HttpResponseStatus informational) {
        return status == 0 && !exchange.isOver()
                && !exchange.request().protocolVersion().equals(HttpVersion.HTTP_1_0)
                && (informational.code() == HttpResponseStatus.CONTINUE.code()
                        ? exchange.body().takeContinue() : ctx().channel().isWritable());
    }

    /** Sends a whole response and takes its ownership. Returns false if there is a response already. */
    boolean respond(FullHttpResponse response) {
        try {
            HeaderField.requireValid(response.headers());
        } catch (IllegalArgumentException e) {
            response.release();
            throw e;
        }
        if (refuseTunnel(response.status()) || refuseUnread(response) || !claim()) {
            response.release();
            return false;
        }
        exchange.onLoop(() -> sendNow(response));
        return true;
    }

    /** Begins a streamed response on the thread that will write it; null if there is a response already. */
    @Nullable HttpResponseStream stream(HttpResponse head) {
        HeaderField.requireValid(head.headers());
        var prepared = new HttpResponseStream(this, exchange, head, isBodyless(head.status()));
        if (refuseTunnel(head.status()) || !claim()) {
            return null;
        }
        stream = prepared;
        exchange.onLoop(() -> begin(prepared, head));
        return prepared;
    }

    /** Refuses a success status for CONNECT by 501, as a tunnel takes an upgrade; returns whether it did. */
    private boolean refuseTunnel(HttpResponseStatus of) {
        boolean refused = exchange.carrier().opensTunnel(of);
        if (refused) {
            fail(new HttpException(HttpResponseStatus.NOT_IMPLEMENTED, "no tunnel begins here"));
            exchange.onLoop(exchange::abort); // the handler must not work for a response that nobody gets
        }
        return refused;
    }

    /** Refuses a large response to a client that has not read others; returns whether it did. */
    private boolean refuseUnread(FullHttpResponse response) {
        boolean refused = given == 0 && exchange.lacksRoomFor(response);
        if (refused) {
            fail(UnsentMemory.refusal());
        }
        return refused;
    }

    /** Responds with an error. A streamed response that has begun is aborted instead. */
    void fail(Throwable cause) {
        try (var _ = LogContext.of(exchange.requestId())) {
            if (claim()) {
                failUnanswered(cause);
            } else if (stream != null) {
                exchange.onLoop(() -> cutOff(cause));
            }
        }
    }

    private void failUnanswered(Throwable cause) {
        FullHttpResponse problem;
        try {
            problem = ErrorMapper.answer(cause, exchange.requestId(), ctx().alloc());
        } catch (Throwable e) { // no memory for the error response
            exchange.onLoop(() -> unwritable(e));
            return;
        }
        exchange.onLoop(() -> sendNow(problem));
    }

    private void sendNow(FullHttpResponse response) {
        exchange.markLoopTask();
        try {
            send(response);
        } catch (Throwable e) {
            unwritable(e);
        }
    }

    private void unwritable(Throwable cause) {
        log.error("a response could not be written", cause);
        cutOff(cause);
    }

    private void send(FullHttpResponse response) {
        if (exchange.isOver()) {
            response.release();
            return;
        }
        int length;
        boolean dropsBody;
        boolean keepAlive;
        try {
            exchange.edit(response);
            length = ArrayResponse.length(response); // an edit may have cleared it
            dropsBody = length > 0 && BodyRules.hasNoBody(response.status());
            length = dropsBody ? 0 : length;
            keepAlive = exchange.carrier().prepare(exchange, response, length);
        } catch (RuntimeException e) {
            response.release();
            throw e;
        }
        status = response.status().code();
        if (isHead() || dropsBody) {
            response.release();
            ctx().write(HeadResponse.of(response), ctx().voidPromise());
            ctx().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, ctx().voidPromise());
        } else {
            bytesSent = length;
            if (length > MemoryShare.FREE_BODY) {
                UnsentMemory.count(exchange.clientNetwork(), length, ctx().writeAndFlush(response)
                        .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE));
            } else {
                ctx().writeAndFlush(response, ctx().voidPromise());
            }
        }
        exchange.end(keepAlive);
    }

    /** Switches to another protocol, unless the exchange has a response. On the event loop. */
    void upgrade(String protocol, HttpHeaders headers, Tunnel tunnel) {
        HeaderField.requireValid(headers);
        // A response that switches protocols has neither (RFC 9110 section 8.6, RFC 9112 section 6.1).
        headers.remove(HttpHeaderNames.CONTENT_LENGTH).remove(HttpHeaderNames.TRANSFER_ENCODING);
        HttpResponse response = exchange.carrier().upgrade(exchange, protocol, headers);
        if (claim()) {
            try {
                exchange.edit(response);
            } catch (Throwable e) {
                unwritable(e);
                return;
            }
            status = response.status().code();
            ctx().write(response, ctx().voidPromise());
            exchange.carrier().handOver(exchange, tunnel);
        }
    }

    private boolean isBodyless(HttpResponseStatus answered) {
        return isHead() || BodyRules.hasNoBody(answered);
    }

    private boolean isHead() {
        return exchange.request().method() == HttpMethod.HEAD; // decoders return this constant
    }

    private void begin(HttpResponseStream begun, HttpResponse head) {
        if (exchange.isOver()) {
            return;
        }
        try {
            status = head.status().code();
            exchange.edit(head);
            begun.beforeHead(head, exchange.carrier().prepare(exchange, head,
                    status == HttpResponseStatus.RESET_CONTENT.code() ? 0 : begun.declaredLength()));
            ctx().write(isHead() ? HeadResponse.of(head) : head, ctx().voidPromise());
            exchange.onResponseStart(BodyRules.isEndless(head), begun.isRelayed());
        } catch (Throwable e) {
            unwritable(e);
        }
    }

    /** Ends a streamed response after its last byte. */
    void streamed(long bytes, LastHttpContent end, boolean keepAlive) {
        if (!exchange.isOver()) {
            bytesSent = bytes;
            ctx().writeAndFlush(end, ctx().voidPromise());
            exchange.end(keepAlive);
        }
    }

    private void cutOff(Throwable cause) {
        if (!exchange.isOver()) {
            HttpResponseStatus as = ErrorMapper.status(cause);
            boolean othersFault = as.codeClass() == HttpStatusClass.CLIENT_ERROR
                    || as.equals(HttpResponseStatus.BAD_GATEWAY); // logged by the upstream
            boolean foreseen = as.equals(HttpResponseStatus.SERVICE_UNAVAILABLE) && cause.getCause() == null
                    && cause instanceof HttpException; // such as a shortage of memory, which is logged once
            try (var _ = LogContext.of(exchange.requestId())) {
                log.atLevel(othersFault || foreseen ? Level.DEBUG : Level.WARN).setCause(cause)
                        .log("a response was cut off");
            }
            if (stream == null || !stream.endsBy(as)) {
                exchange.carrier().reset();
            }
            exchange.endUnanswered(as.code());
        }
    }

    /**
     * Records that the response stays incomplete; it is counted with this status, whatever its head stated.
     */
    void abandon(int asStatus) {
        given = 1;
        status = asStatus;
        bytesSent = stream == null ? bytesSent : stream.sent();
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
