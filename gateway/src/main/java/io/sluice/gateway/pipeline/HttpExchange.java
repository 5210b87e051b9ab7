package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on an HTTP/1 connection, and its one answer. */
public final class HttpExchange implements ServedRequest {
    private static final Logger log = LoggerFactory.getLogger(HttpExchange.class);

    private final RequestDispatcher connection;
    private final ChannelHandlerContext ctx;
    private final RoutedRequest request;
    private final RequestBody body;
    private final Answer answer;
    private Future<?> timer;
    private Runnable onAbort;
    private boolean aborted;
    private boolean over;

    HttpExchange(RequestDispatcher connection, ChannelHandlerContext ctx, RoutedRequest request,
                 RequestBody body) {
        this.connection = connection;
        this.ctx = ctx;
        this.request = request;
        this.body = body;
        answer = new Answer(this, connection, ctx);
    }

    /** Calls the handler, and sees to it that the request does not hang. */
    void start(RouteHandler handler) {
        logged(() -> {
            if (request.hasRoute()) {
                request.requireAccess(this);
                request.shortenDeadline();
                body.requireFits();
            }
            handler.handle(this);
        });
        if (!over) {
            timer = eventLoop().schedule(this::expire, deadline().remainingNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private void logged(Step step) {
        try (var _ = LogContext.of(requestId())) {
            try {
                step.run();
            } catch (Throwable e) {
                if (answer.isWhole() && !(e instanceof HttpException)) {
                    log.error("a handler failed after its answer", e);
                }
                fail(e);
            }
        }
    }

    // --- the request

    @Override
    public HttpRequest request() {
        return request.head();
    }

    @Override
    public String path() {
        return request.path();
    }

    @Override
    public String pathParameter(String name) {
        return request.pathParameter(name);
    }

    @Override
    public String queryParameter(String name) {
        return request.queryParameter(name);
    }

    @Override
    public boolean hasBody() {
        return body.present();
    }

    @Override
    public String requestId() {
        return request.id();
    }

    @Override
    public InetSocketAddress clientAddress() {
        return (InetSocketAddress) ctx.channel().remoteAddress();
    }

    @Override
    public String caller() {
        return request.caller();
    }

    @Override
    public Deadline deadline() {
        return request.deadline();
    }

    @Override
    public EventExecutor eventLoop() {
        return ctx.executor();
    }

    @Override
    public ByteBufAllocator alloc() {
        return ctx.alloc();
    }

    RequestBody body() {
        return body;
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        streamBody(body.collector(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
        connection.proceed();
    }

    @Override
    public void resumeBody() {
        if (eventLoop().inEventLoop()) {
            goOn();
        } else {
            eventLoop().execute(this::goOn);
        }
    }

    private void goOn() {
        body.resume();
        connection.proceed();
    }

    /** Takes a piece of the body. */
    void content(HttpContent content) {
        boolean answered = over;
        logged(() -> body.content(content));
        if (body.broken() && !answered) {
            abort();
        }
    }

    // --- the answer

    @Override
    public boolean respond(FullHttpResponse response) {
        return answer.respond(response);
    }

    @Override
    public ResponseStream stream(HttpResponse head) {
        return answer.stream(head);
    }

    @Override
    public void fail(Throwable cause) {
        answer.fail(cause);
    }

    /**
     * Makes the connection another protocol's, when all of the request has been read. On the event loop.
     *
     * @param response with status 101; owned by the exchange from here on
     * @param protocol makes the handler of what comes from then on; it may keep bytes back
     * @throws HttpException where the connection is not fit for it
     */
    public void upgrade(FullHttpResponse response, Function<ReadAhead, ChannelHandler> protocol) {
        if (answer.switchProtocols(response)) {
            connection.upgrade(protocol);
        }
    }

    private void expire() {
        if (!over) {
            body.expire();
            fail(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "not done within the time for it"));
            abort();
        }
    }

    /** Ends without an answer or in the middle of it, and is counted as this status. */
    void endUnanswered(int status) {
        if (!over) {
            answer.abandon(status);
            end(false);
            abort();
        }
    }

    private void abort() {
        aborted = true;
        Runnable action = onAbort;
        onAbort = null;
        if (action != null) {
            logged(action::run);
        }
    }

    @Override
    public void onAbort(Runnable action) {
        if (aborted) {
            action.run();
        } else {
            Runnable earlier = onAbort;
            onAbort = earlier == null ? action : () -> {
                logged(earlier::run);
                action.run();
            };
        }
    }

    /** The answer has been written, or nobody is there for it. */
    void end(boolean keepAlive) {
        over = true;
        if (timer != null) {
            timer.cancel(false);
        }
        body.drop();
        answer.wakeWriter();
        connection.ended(this, keepAlive);
    }

    boolean isOver() {
        return over;
    }

    /** The client takes more again. */
    void writable() {
        answer.wakeWriter();
    }

    // --- what is told of it afterwards

    @Override
    public String uri() {
        return request.uri();
    }

    @Override
    public int status() {
        return answer.status();
    }

    @Override
    public long bytesSent() {
        return answer.bytesSent();
    }

    @Override
    public long elapsedNanos() {
        return request.elapsedNanos();
    }
}
