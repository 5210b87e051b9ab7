package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.DefaultAttributeMap;
import io.sluice.gateway.loop.LoopTasks;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.offload.Deadline;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request on its way through its route, over any protocol: it begins, ends once, and in time. */
public abstract class RoutedExchange extends DefaultAttributeMap implements ServedRequest {
    private static final Logger log = LoggerFactory.getLogger(RoutedExchange.class);

    private final RoutedRequest request;
    /** Null where the handler has answered at once. */
    private TimeWatch watch;
    private Consumer<HttpResponse> onAnswer;
    private Runnable onAbort;
    private boolean aborted;
    private boolean over;

    /** One that has just arrived. */
    protected RoutedExchange(RoutedRequest request) {
        this.request = request;
    }

    /** What can fail. */
    @FunctionalInterface
    protected interface Step {
        /** Does it. */
        void run() throws Exception;
    }

    /** Calls the handler, and sees to it that the request does not hang. On the event loop. */
    public final void start(RouteHandler handler) {
        takesLoop();
        try (var _ = LogContext.begin(requestId())) {
            try {
                handler.handle(this);
            } catch (Throwable e) {
                failed(e);
            }
        }
        if (!over) {
            watch = new TimeWatch(this);
            watch.look();
        }
    }

    @Override
    public final void proceed(RouteHandler next) {
        if (!eventLoop().inEventLoop()) {
            eventLoop().execute(() -> proceed(next));
        } else if (!over && !aborted) {
            logged(() -> next.handle(this));
        }
    }

    /** Whether an answer was given that nothing can take back. */
    protected abstract boolean isAnswered();

    /** Whether a streamed answer has begun. */
    protected abstract boolean answerBegun();

    /** Bytes of both bodies so far. */
    protected abstract long progress();

    /** Whether the client has to send or to read before anything can go on. */
    protected abstract boolean waitsForClient();

    /** A time limit has passed. */
    protected abstract void expire();

    /** Answers with what a step throws; whatever is logged meanwhile is about this request. */
    protected final void logged(Step step) {
        takesLoop();
        try (var _ = LogContext.of(requestId())) {
            try {
                step.run();
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /** Notes that the event loop's task works for this request from here on. On the event loop. */
    public final void takesLoop() {
        LoopTasks.runsFor(eventLoop(), uri());
    }

    private void failed(Throwable cause) {
        if (isAnswered() && !(cause instanceof HttpException)) {
            log.error("a handler failed after its answer", cause);
        }
        fail(cause);
    }

    /** From here on it is over. */
    protected final void finish() {
        if (!over) {
            over = true;
            request.finish();
        }
        if (watch != null) {
            watch.stop();
        }
    }

    /** Whether it has been answered, or nobody is there for an answer. */
    public final boolean isOver() {
        return over;
    }

    /** Stops what runs for it. */
    public final void abort() {
        aborted = true;
        Runnable action = onAbort;
        onAbort = null;
        if (action != null) {
            logged(action::run);
        }
    }

    @Override
    public final void onAbort(Runnable action) {
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

    @Override
    public final void onAnswer(Consumer<HttpResponse> edit) {
        Consumer<HttpResponse> earlier = onAnswer;
        onAnswer = earlier == null ? edit : edit.andThen(earlier);
    }

    /** Makes the edits that filters want in the head of an answer. On the event loop. */
    protected final void edit(HttpResponse answer) {
        if (onAnswer != null) {
            onAnswer.accept(answer);
        }
    }

    @Override
    public final void limitTime(TimeLimits limits) {
        request.limitTime(limits);
        if (watch != null && !over) {
            watch.look();
        }
    }

    /** A streamed answer begins: another limit holds from here on. On the event loop. */
    public final void answerBegins() {
        if (watch != null) {
            watch.restart();
        }
    }

    /** Null where none are limited. */
    final TimeLimits limits() {
        return request.limits();
    }

    /** Whether its whole time is limited. */
    public final boolean hasDeadline() {
        return limits() != null && limits().total().isPresent();
    }

    /** The handler of the route, with its filters. */
    protected final RouteHandler handler() {
        return request.handler();
    }

    @Override
    public final HttpRequest request() {
        return request.head();
    }

    @Override
    public final String path() {
        return request.path();
    }

    @Override
    public final String pathParameter(String name) {
        return request.pathParameter(name);
    }

    @Override
    public final String queryParameter(String name) {
        return request.queryParameter(name);
    }

    @Override
    public final String requestId() {
        return request.id();
    }

    @Override
    public final Deadline deadline() {
        return request.deadline();
    }

    @Override
    public final String uri() {
        return request.uri();
    }

    @Override
    public final long elapsedNanos() {
        return request.elapsedNanos();
    }
}
