package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.exchange.LogContext;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.handlers.HttpException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response of one exchange. Any thread may provide it, whole or as a stream; it is sent whole, on the
 * event loop. Until then, a response that fails is replaced by an error.
 */
final class RpcResponse {
    private static final Logger log = LoggerFactory.getLogger(RpcResponse.class);

    /** In bytes. Responses up to this length are always sent. */
    private static final int LITTLE = 64 * 1024;

    private final RpcExchange exchange;
    private final RpcSession session;
    private final String messageId;
    private final long limit;
    /**
     * Guarded by this, as is {@link #stream}: a stream that begins while the exchange ends must still be
     * closed.
     */
    private boolean given;
    private @Nullable CollectedStream stream;
    private int status;
    private long bytesSent;

    RpcResponse(RpcExchange exchange, RpcSession session, String messageId) {
        this.exchange = exchange;
        this.session = session;
        this.messageId = messageId;
        limit = session.maxAnswer();
    }

    /** Claims the right to respond; true for the first caller only. */
    private synchronized boolean claim() {
        boolean first = !given;
        given = true;
        return first;
    }

    synchronized boolean isStreamed() {
        return stream != null;
    }

    /** Returns how many bytes of a streamed response have been written. */
    synchronized long written() {
        return stream == null ? 0 : stream.written();
    }

    /** Returns whether a streamed response has to wait until the client reads others. */
    synchronized boolean waitsForClient() {
        return stream != null && stream.waitsForClient();
    }

    synchronized boolean isWhole() {
        return given && stream == null;
    }

    /**
     * Responds with a whole response, which this object owns. Any thread.
     *
     * @return false if there was a response already; the new one is released then
     */
    boolean respond(FullHttpResponse response) {
        if (!claim()) {
            response.release();
            return false;
        }
        HttpException refusal = isHead() ? null : refusal(response.content().readableBytes());
        if (refusal == null) {
            send(response);
        } else {
            response.release();
            send(problem(refusal));
        }
        return true;
    }

    private @Nullable HttpException refusal(int length) {
        if (length > limit) {
            return tooLarge();
        }
        return length > LITTLE && session.memory().isOver()
                ? HttpException.tryAgain("the socket has too many unread responses", null) : null;
    }

    private void send(FullHttpResponse response) {
        ByteBuf body = isHead() ? Unpooled.EMPTY_BUFFER : response.content().retain();
        response.release();
        session.memory().hold(body.readableBytes());
        send(response, new BodyCheck(response.headers().get(HttpHeaderNames.CONTENT_TYPE)), body);
    }

    /**
     * Checks the rest of the body on this thread, unless it is the event loop, which does so in its turns.
     */
    private void send(HttpResponse head, BodyCheck check, ByteBuf body) {
        var text = new ResponseText(exchange.alloc(), session.memory(), messageId, head.status().code(),
                check, body);
        if (!exchange.eventLoop().inEventLoop()) {
            text.checkAll();
        }
        onLoop(() -> {
            if (isWanted()) {
                edit(head, text);
                session.outbox().add(this, text);
            } else {
                text.release();
            }
        });
    }

    private void edit(HttpResponse head, ResponseText text) {
        try {
            exchange.edited(head);
        } catch (RuntimeException e) {
            text.release();
            throw e;
        }
    }

    /** Begins a streamed response; null if there is a response already. Any thread. */
    @Nullable CollectedStream stream(HttpResponse head) {
        CollectedStream begun = begin(head);
        if (begun != null) {
            onLoop(() -> exchange.onResponseStart(false, false));
        }
        return begun;
    }

    private synchronized @Nullable CollectedStream begin(HttpResponse head) {
        if (given) {
            return null;
        }
        given = true;
        stream = new CollectedStream(this, session.memory(), head, exchange.alloc(), exchange.eventLoop(),
                isHead(), limit);
        return stream;
    }

    /** Responds with an error, even if a streamed response has begun. Any thread. */
    void fail(Throwable cause) {
        if (claim()) {
            send(problem(cause));
        } else if (!isWhole()) {
            onLoop(() -> replace(cause));
        }
    }

    private void replace(Throwable cause) {
        if (isWanted()) {
            send(problem(cause));
            exchange.abort();
        }
    }

    private FullHttpResponse problem(Throwable cause) {
        try (var _ = LogContext.of(exchange.requestId())) {
            return ErrorMapper.answer(cause, exchange.requestId(), exchange.alloc());
        }
    }

    HttpException tooLarge() {
        return new HttpException(HttpResponseStatus.INTERNAL_SERVER_ERROR,
                "the response is too large for a socket (expected: at most " + limit + " bytes; max-answer)");
    }

    private boolean isHead() {
        return exchange.request().method().equals(HttpMethod.HEAD);
    }

    /** Sends a streamed response that is complete. */
    void streamed(HttpResponse head, BodyCheck check, CollectedStream whole) {
        onLoop(() -> {
            if (isWanted()) {
                send(head, check, whole.take());
            }
        });
    }

    private void onLoop(Runnable step) {
        exchange.onLoop(() -> run(step));
    }

    private void run(Runnable step) {
        exchange.markLoopTask();
        try {
            step.run();
        } catch (Throwable e) {
            sendFailed(e);
        }
    }

    /** Closes the socket, as its response could not be sent. On the event loop. */
    void sendFailed(Throwable cause) {
        log.error("a response could not be sent", cause);
        exchange.endUnanswered(HttpResponseStatus.INTERNAL_SERVER_ERROR.code());
        session.fail();
    }

    /** Returns whether the exchange still waits for its response. */
    boolean isWanted() {
        return !exchange.isOver() && !session.isClosed();
    }

    /** Sends a complete message and ends the exchange. On the event loop. */
    void send(ResponseText text) {
        status = text.status();
        bytesSent = text.length();
        session.send(text.take());
        exchange.sent();
    }

    /** Prevents any further response; the request is counted with this status. */
    void abandon(int asStatus) {
        claim();
        status = asStatus;
    }

    /** Releases what is left of a streamed response, and wakes its writer. */
    void close() {
        CollectedStream left;
        synchronized (this) {
            left = stream;
        }
        if (left != null) {
            left.close();
        }
    }

    int status() {
        return status;
    }

    long bytesSent() {
        return bytesSent;
    }
}
