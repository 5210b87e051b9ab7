package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.pipeline.LogContext;
import io.sluice.gateway.pipeline.ServedRequest;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request of a socket, and its one answer. */
final class RpcExchange implements ServedRequest {
    private static final Logger log = LoggerFactory.getLogger(RpcExchange.class);

    private final RpcSession session;
    private final RoutedRequest request;
    private final RpcBody body;
    private final RpcAnswer answer;
    private Future<?> timer;
    private Runnable onAbort;
    private boolean aborted;
    private boolean over;

    /**
     * A request that has just arrived.
     *
     * @param messageId what its answer begins with
     */
    RpcExchange(RpcSession session, String messageId, RoutedRequest request, RpcBody body) {
        this.session = session;
        this.request = request;
        this.body = body;
        answer = new RpcAnswer(this, session, messageId);
    }

    /** Calls the handler, and sees to it that the request does not hang. */
    void start(RouteHandler handler) {
        logged(() -> {
            if (request.hasRoute()) {
                request.requireAccess(this);
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
        return session.socket().clientAddress();
    }

    @Override
    public String caller() {
        return session.caller();
    }

    @Override
    public Deadline deadline() {
        return request.deadline();
    }

    @Override
    public EventExecutor eventLoop() {
        return session.socket().eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return session.socket().alloc();
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        streamBody(RpcBody.whole(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
        // As over HTTP, it comes when the handler has returned.
        eventLoop().execute(() -> logged(body::deliver));
    }

    @Override
    public void resumeBody() {
        // Nobody is made to wait: it is one piece.
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

    private void expire() {
        if (!over) {
            fail(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "not done within the time for it"));
            abort();
        }
    }

    /** Ends without an answer, and is counted as this status. */
    void endUnanswered(int status) {
        if (!over) {
            answer.abandon(status);
            end();
            abort();
        }
    }

    void abort() {
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

    /** What it holds of its message until its end, in bytes. */
    int bodySize() {
        return body.size();
    }

    /** The answer has been sent, or nobody is there for it. */
    void end() {
        over = true;
        if (timer != null) {
            timer.cancel(false);
        }
        body.drop();
        logged(answer::close);
        session.ended(this);
    }

    boolean isOver() {
        return over;
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
