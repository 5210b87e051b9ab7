package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One request on an HTTP/1 connection, and its one answer. */
public final class HttpExchange implements Exchange {
    /** The logging context's key for the request id. */
    public static final String REQUEST_ID = "requestId";

    private static final Logger log = LoggerFactory.getLogger(HttpExchange.class);

    private final RequestDispatcher connection;
    private final ChannelHandlerContext ctx;
    private final RoutedRequest request;
    private final RequestBody body;

    private final Answer answer;
    private Future<?> timer;
    private List<Runnable> abortActions = List.of();
    private boolean aborted;
    private boolean over;

    HttpExchange(RequestDispatcher connection, ChannelHandlerContext ctx, RoutedRequest request,
                 RequestBody body) {
        this.connection = connection;
        this.ctx = ctx;
        this.request = request;
        this.body = body;
        answer = new Answer(this, ctx);
    }

    /** Calls the handler, and sees to it that the request does not hang. */
    void start(RouteHandler handler) {
        logged(() -> {
            body.requireFits();
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
        try (var _ = MDC.putCloseable(REQUEST_ID, requestId())) {
            step.run();
        } catch (Throwable e) {
            fail(e);
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
        body.read(body.collector(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
    }

    @Override
    public void resumeBody() {
        onLoop(() -> {
            body.resume();
            connection.proceed();
        });
    }

    /** Takes a piece of the body. */
    void content(HttpContent content) {
        logged(() -> body.content(content));
    }

    // --- the answer

    @Override
    public boolean respond(FullHttpResponse response) {
        if (!answer.claim()) {
            response.release();
            return false;
        }
        onLoop(() -> answer.send(response));
        return true;
    }

    @Override
    public ResponseStream stream(HttpResponse head) {
        if (!answer.claim()) {
            return null;
        }
        HttpResponseStream stream = answer.stream(head);
        onLoop(() -> answer.begin(head));
        return stream;
    }

    @Override
    public void fail(Throwable cause) {
        try (var _ = MDC.putCloseable(REQUEST_ID, requestId())) {
            if (answer.claim()) {
                FullHttpResponse problem = ErrorMapper.answer(cause, requestId(), alloc());
                onLoop(() -> answer.send(problem));
            } else if (answer.isStreamed()) {
                onLoop(() -> cutOff(cause));
            }
        }
    }

    private void cutOff(Throwable cause) {
        if (!over) {
            log.warn("an answer was cut off", cause);
            connection.reset();
        }
    }

    private void expire() {
        if (!over) {
            fail(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "not done within the time for it"));
            abort();
        }
    }

    /** The connection is gone. */
    void clientGone() {
        if (!over) {
            answer.abandon();
            abort();
            end(false);
        }
    }

    private void abort() {
        aborted = true;
        abortActions.forEach(Runnable::run);
        abortActions = List.of();
    }

    @Override
    public void onAbort(Runnable action) {
        if (aborted) {
            action.run();
        } else if (!over) {
            abortActions = new ArrayList<>(abortActions);
            abortActions.add(action);
        }
    }

    /** Completes an answer's head; says whether the connection stays open behind it. */
    boolean prepare(HttpResponse head, long length) {
        return connection.prepare(this, head, length);
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

    void writabilityChanged() {
        if (ctx.channel().isWritable()) {
            answer.wakeWriter();
        }
    }

    private void onLoop(Runnable step) {
        if (eventLoop().inEventLoop()) {
            step.run();
        } else {
            eventLoop().execute(step);
        }
    }

    // --- what is told of it afterwards

    /** The template of the route's path, or {@code UNKNOWN} where none matched. */
    public String uri() {
        return request.uri();
    }

    /** The status answered, {@link Answer#CLIENT_GONE} where nobody was there for it. */
    public int status() {
        return answer.status();
    }

    /** Bytes of the answer's body. */
    public long bytesSent() {
        return answer.bytesSent();
    }

    /** Since the head arrived. */
    public long elapsedNanos() {
        return request.elapsedNanos();
    }
}
