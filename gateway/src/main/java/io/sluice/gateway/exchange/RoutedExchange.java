package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.loop.LoopTasks;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Deadline;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request on its way through its route, whatever it came by: it begins, ends once, and in time. */
public abstract class RoutedExchange implements ServedRequest {
    private static final Logger log = LoggerFactory.getLogger(RoutedExchange.class);

    private final RoutedRequest request;
    private Future<?> timer;
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
                if (request.hasRoute()) {
                    admit(request);
                }
                handler.handle(this);
            } catch (Throwable e) {
                failed(e);
            }
        }
        if (!over) {
            timer = eventLoop().schedule(() -> logged(this::expire), deadline().remainingNanos(),
                    TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Looks at a request before its handler does.
     *
     * @throws HttpException where it is not for its route
     */
    protected abstract void admit(RoutedRequest routed);

    /** Whether an answer was given that nothing can take back. */
    protected abstract boolean isAnswered();

    /** The deadline has passed. */
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
        over = true;
        request.finish();
        if (timer != null) {
            timer.cancel(false);
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

    /** The request with its route. */
    protected final RoutedRequest routed() {
        return request;
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
    public String caller() {
        return request.caller();
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
