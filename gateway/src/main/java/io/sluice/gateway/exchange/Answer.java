package io.sluice.gateway.exchange;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.negotiation.Answering;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.handlers.ArrayResponse;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The one answer of an exchange: whole or streamed, given from any thread, written on the event loop. */
final class Answer implements Answering {
    private static final Logger log = LoggerFactory.getLogger(Answer.class);

    private static final AtomicIntegerFieldUpdater<Answer> GIVEN =
            AtomicIntegerFieldUpdater.newUpdater(Answer.class, "given");

    private final HttpExchange exchange;
    private volatile int given;
    private volatile HttpResponseStream stream;
    private int status;
    private long bytesSent;

    Answer(HttpExchange exchange) {
        this.exchange = exchange;
    }

    private ChannelHandlerContext ctx() {
        return exchange.context();
    }

    /** Whether the caller may answer: the first one may. */
    private boolean claim() {
        return GIVEN.compareAndSet(this, 0, 1);
    }

    boolean isWhole() {
        return given != 0 && stream == null;
    }

    /** Gives a whole answer; false, and it is released, where there is one already. */
    @Override
    public boolean respond(FullHttpResponse response) {
        try {
            AnswerHeaders.requireValid(response.headers());
        } catch (IllegalArgumentException e) {
            response.release();
            throw e;
        }
        if (!claim()) {
            response.release();
            return false;
        }
        if (ctx().executor().inEventLoop()) {
            sendNow(response);
        } else {
            ctx().executor().execute(() -> sendNow(response));
        }
        return true;
    }

    /** Begins a streamed answer, on the thread that will write it; null where there is one already. */
    @Override
    public HttpResponseStream stream(HttpResponse head) {
        AnswerHeaders.requireValid(head.headers());
        var prepared = new HttpResponseStream(this, exchange.carrier(), ctx(), head, isHead());
        if (!claim()) {
            return null;
        }
        stream = prepared;
        onLoop(() -> begin(head));
        return prepared;
    }

    /** Answers with an error; a streamed answer that has begun is cut off. */
    void fail(Throwable cause) {
        try (var _ = LogContext.of(exchange.requestId())) {
            if (claim()) {
                failUnanswered(cause);
            } else if (stream != null) {
                onLoop(() -> cutOff(cause));
            }
        }
    }

    private void failUnanswered(Throwable cause) {
        FullHttpResponse problem;
        try {
            problem = ErrorMapper.answer(cause, exchange.requestId(), ctx().alloc());
        } catch (Throwable e) { // no memory for an answer, either
            onLoop(() -> unwritable(e));
            return;
        }
        onLoop(() -> sendNow(problem));
    }

    private void onLoop(Runnable step) {
        if (ctx().executor().inEventLoop()) {
            step.run();
        } else {
            ctx().executor().execute(step);
        }
    }

    private void sendNow(FullHttpResponse response) {
        exchange.takesLoop();
        try {
            send(response);
        } catch (Throwable e) {
            unwritable(e);
        }
    }

    private void unwritable(Throwable cause) {
        log.error("an answer could not be written", cause);
        cutOff(cause);
    }

    private void send(FullHttpResponse response) {
        if (exchange.isOver()) {
            response.release();
            return;
        }
        int length = ArrayResponse.length(response);
        boolean keepAlive;
        try {
            keepAlive = prepare(response, length);
        } catch (RuntimeException e) {
            response.release();
            throw e;
        }
        status = response.status().code();
        if (isHead()) {
            response.release();
            writeHead(response);
            ctx().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, ctx().voidPromise());
        } else {
            bytesSent = length;
            ctx().writeAndFlush(response, ctx().voidPromise());
        }
        exchange.end(keepAlive);
    }

    /** Completes a head; says whether the connection stays open. */
    private boolean prepare(HttpResponse head, long length) {
        exchange.routed().cors().answer(exchange.headers(), exchange.client(), head.headers());
        return exchange.carrier().prepare(exchange, head, length);
    }

    /** Answers with 101, on the event loop, not flushed; false where there is an answer already. */
    boolean switchProtocols(FullHttpResponse response) {
        exchange.carrier().prepareUpgrade(exchange, response);
        if (!claim()) {
            return false;
        }
        status = response.status().code();
        ctx().write(response, ctx().voidPromise());
        exchange.end(true);
        return true;
    }

    private boolean isHead() {
        return exchange.request().method() == HttpMethod.HEAD; // whatever decodes one gives this
    }

    private void writeHead(HttpResponse head) {
        ctx().write(isHead() ? new HeadResponse(head.protocolVersion(), head.status(), head.headers()) : head,
                ctx().voidPromise());
    }

    private void begin(HttpResponse head) {
        if (exchange.isOver()) {
            return;
        }
        try {
            status = head.status().code();
            stream.keepAlive(prepare(head, stream.declaredLength()));
            writeHead(head);
        } catch (Throwable e) {
            unwritable(e);
        }
    }

    /** All of a streamed answer has been written. */
    void streamed(long bytes, boolean keepAlive) {
        if (!exchange.isOver()) {
            bytesSent = bytes;
            ctx().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, ctx().voidPromise());
            exchange.end(keepAlive);
        }
    }

    private void cutOff(Throwable cause) {
        if (!exchange.isOver()) {
            HttpResponseStatus as = ErrorMapper.status(cause);
            boolean clientsFault = as.codeClass() == HttpStatusClass.CLIENT_ERROR;
            try (var _ = LogContext.of(exchange.requestId())) {
                log.atLevel(clientsFault ? Level.DEBUG : Level.WARN).setCause(cause)
                        .log("an answer was cut off");
            }
            exchange.carrier().reset();
            exchange.endUnanswered(as.code());
        }
    }

    /** It will not be completed: counted as this, whatever its head has said. */
    void abandon(int asStatus) {
        given = 1;
        status = asStatus;
        bytesSent = stream == null ? bytesSent : stream.written();
    }

    void takesLoop() {
        exchange.takesLoop();
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
