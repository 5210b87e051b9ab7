package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.Deadline;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * An exchange without sockets. Its client is the test, and its event loop is the thread that has created it.
 * It passes the {@link HttpExchangeContract}, as exchanges over sockets do.
 */
public final class FakeExchange extends FakeRequest {
    private final FakeLoop loop = new FakeLoop();
    private final FakeTimes times;
    private final FakeResponse answer = new FakeResponse(this);
    private final FakeBody body;
    private Consumer<HttpResponse> onResponse = _ -> { };
    private Runnable onAbort = () -> { };
    private Throwable failure;
    private boolean aborted;
    private volatile boolean over;

    /** Creates a request without a body for {@code /}. */
    public FakeExchange() {
        this(HttpMethod.GET, "/", 0);
    }

    /**
     * Creates a request.
     *
     * @param bodyLength in bytes; 0 for no body, -1 if the client does not declare it
     */
    public FakeExchange(HttpMethod method, String target, long bodyLength) {
        super(method, target);
        times = new FakeTimes(this);
        body = new FakeBody(this, bodyLength);
    }

    /** Sets a variable of the route's path. */
    public FakeExchange with(String name, String value) {
        catchParameter(name, value);
        return this;
    }

    // --- the test's view

    /** Passes the request to a handler, and answers with the exception that the handler throws. */
    public FakeExchange handledBy(RouteHandler handler) {
        attempt(() -> handler.handle(this));
        times.look();
        return this;
    }

    /** Sends a piece of the body, as the client. */
    public FakeExchange send(byte[] piece) {
        body.send(piece);
        return this;
    }

    /** Ends the body, as the client. */
    public FakeExchange endBody() {
        return endBody(EmptyHttpHeaders.INSTANCE);
    }

    /** Ends the body with trailers, as the client. */
    public FakeExchange endBody(HttpHeaders trailers) {
        body.end(trailers);
        return this;
    }

    /** Disconnects the client. */
    public void leave() {
        if (!over) {
            answer.claim();
            end();
            abort();
        }
    }

    /** Runs the tasks that wait on the event loop. */
    public void settle() {
        loop.settle();
    }

    /** Advances the clock, and runs the tasks that become due. */
    public void pass(Duration time) {
        loop.pass(time);
    }

    /** Returns the answer so far. */
    public FakeResponse answer() {
        return answer;
    }

    /** Returns the cause of the first failure; null without one. */
    public Throwable failure() {
        return failure;
    }

    // --- the view of its parts

    /** An action that may fail. */
    interface Step {
        void run() throws Exception;
    }

    /** Runs a step, and answers with the exception that it throws. */
    void attempt(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    FakeLoop loop() {
        return loop;
    }

    FakeTimes times() {
        return times;
    }

    boolean isOver() {
        return over;
    }

    /** Returns whether the exchange waits for the client to send or to read. */
    boolean waitsForClient() {
        return body.isAwaited() || answer.hasBegun() && !answer.isWritable();
    }

    void edit(HttpResponse head) {
        onResponse.accept(head);
    }

    void expire() {
        refuse(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT,
                "the response was not ready within its time limit"));
    }

    void refuse(HttpException reason) {
        fail(reason);
        abort();
    }

    void end() {
        over = true;
        body.drop();
        times.stop();
        answer.wakeWriter();
    }

    void abort() {
        aborted = true;
        Runnable action = onAbort;
        onAbort = () -> { };
        attempt(action::run);
    }

    // --- the handler's view

    @Override
    public boolean hasBody() {
        return body.isPresent();
    }

    @Override
    public Deadline deadline() {
        return times.deadline();
    }

    @Override
    public void limitTime(TimeLimits limits) {
        times.limit(limits);
    }

    @Override
    public void limitBody(long bytes) {
        body.limit(bytes);
    }

    @Override
    public EventExecutor eventLoop() {
        return loop.executor();
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        body.read(FakeBody.whole(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
    }

    @Override
    public void resumeBody() {
        loop.run(body::resume);
    }

    @Override
    public void proceed(RouteHandler next) {
        loop.run(() -> {
            if (!over && !aborted) {
                attempt(() -> next.handle(this));
            }
        });
    }

    @Override
    public void onAbort(Runnable action) {
        if (aborted) {
            action.run();
        } else {
            Runnable earlier = onAbort;
            onAbort = () -> {
                attempt(earlier::run);
                action.run();
            };
        }
    }

    @Override
    public void onResponse(Consumer<HttpResponse> edit) {
        onResponse = edit.andThen(onResponse);
    }

    /** Drops an informational response, as a message over a WebSocket does. */
    @Override
    public void inform(HttpResponse head) {
        if (head.status().codeClass() != HttpStatusClass.INFORMATIONAL
                || head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            throw new IllegalArgumentException("status: " + head.status() + " (expected: 100..199 but 101)");
        }
    }

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
        failure = failure == null ? cause : failure;
        answer.fail(cause);
    }
}
