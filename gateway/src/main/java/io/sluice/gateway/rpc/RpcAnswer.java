package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.exchange.LogContext;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.handlers.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one answer of an exchange: given from any thread, whole or streamed, and sent whole on the event loop.
 * Until it is sent, one that fails can still become an error.
 */
final class RpcAnswer {
    private static final Logger log = LoggerFactory.getLogger(RpcAnswer.class);

    private final RpcExchange exchange;
    private final RpcSession session;
    private final String messageId;
    private final long limit;
    /** Guarded by this, as the stream is: what begins at the end of an exchange must not outlive it. */
    private boolean given;
    private CollectedStream stream;
    private int status;
    private long bytesSent;

    RpcAnswer(RpcExchange exchange, RpcSession session, String messageId) {
        this.exchange = exchange;
        this.session = session;
        this.messageId = messageId;
        limit = session.maxAnswer();
    }

    /** Whether the caller may answer: the first one may. */
    private synchronized boolean claim() {
        boolean first = !given;
        given = true;
        return first;
    }

    synchronized boolean isStreamed() {
        return stream != null;
    }

    /** Bytes of a streamed answer so far. */
    synchronized long written() {
        return stream == null ? 0 : stream.written();
    }

    synchronized boolean isWhole() {
        return given && stream == null;
    }

    /** Gives a whole answer; false, and it is released, where there is one already. */
    boolean respond(FullHttpResponse response) {
        if (!claim()) {
            response.release();
            return false;
        }
        if (isHead() || response.content().readableBytes() <= limit) {
            send(response);
        } else {
            response.release();
            send(problem(tooLarge()));
        }
        return true;
    }

    private void send(FullHttpResponse response) {
        ByteBuf body = isHead() ? Unpooled.EMPTY_BUFFER : response.content().retain();
        response.release();
        send(response, new BodyCheck(response.headers().get(HttpHeaderNames.CONTENT_TYPE)), body);
    }

    /** What is not checked of the body is checked here, unless by the event loop in its turns. */
    private void send(HttpResponse head, BodyCheck check, ByteBuf body) {
        var text = new AnswerText(exchange.alloc(), messageId, head.status().code(), check, body);
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

    private void edit(HttpResponse head, AnswerText text) {
        try {
            exchange.edited(head);
        } catch (RuntimeException e) {
            text.release();
            throw e;
        }
    }

    /** Begins a streamed answer; null where there is one already. */
    CollectedStream stream(HttpResponse head) {
        CollectedStream begun = begin(head);
        if (begun != null) {
            onLoop(exchange::answerBegins);
        }
        return begun;
    }

    private synchronized CollectedStream begin(HttpResponse head) {
        if (given) {
            return null;
        }
        given = true;
        stream = new CollectedStream(this, head, exchange.alloc(), exchange.eventLoop(), isHead(), limit);
        return stream;
    }

    /** Answers with an error, even where a streamed answer has begun. */
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
                "the answer is too large for a socket (expected: at most " + limit + " bytes; max-answer)");
    }

    private boolean isHead() {
        return exchange.request().method().equals(HttpMethod.HEAD);
    }

    /** All of a streamed answer is there. */
    void streamed(HttpResponse head, BodyCheck check) {
        onLoop(() -> {
            if (isWanted()) {
                send(head, check, stream.take());
            }
        });
    }

    private void onLoop(Runnable step) {
        EventExecutor loop = exchange.eventLoop();
        if (loop.inEventLoop()) {
            run(step);
        } else {
            loop.execute(() -> run(step));
        }
    }

    private void run(Runnable step) {
        exchange.takesLoop();
        try {
            step.run();
        } catch (Throwable e) {
            broke(e);
        }
    }

    /** It could not be sent. */
    void broke(Throwable cause) {
        log.error("an answer could not be sent", cause);
        exchange.endUnanswered(HttpResponseStatus.INTERNAL_SERVER_ERROR.code());
        session.broken();
    }

    /** Whether somebody waits for it, and has no other. */
    boolean isWanted() {
        return !exchange.isOver();
    }

    /** Sends what is whole, and ends the exchange. */
    void send(AnswerText text) {
        status = text.status();
        bytesSent = text.length();
        session.socket().sendText(text.take());
        exchange.end();
    }

    /** It will not be completed: counted as this. */
    void abandon(int asStatus) {
        claim();
        status = asStatus;
    }

    /** Drops what is left of a streamed answer, and wakes its writer. */
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
