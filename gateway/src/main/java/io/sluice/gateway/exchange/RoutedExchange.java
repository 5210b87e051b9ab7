package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.loop.LoopTaskMeter;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request and its route, over any protocol: it starts, is bounded in time, and ends once. */
public abstract class RoutedExchange extends ReceivedRequest {
    private static final Logger log = LoggerFactory.getLogger(RoutedExchange.class);

    /** Null before the handler has returned and after the end of the exchange. */
    private @Nullable TimeWatch watch;
    private @Nullable Consumer<HttpResponse> onResponse;
    private @Nullable Runnable onAbort;
    private Supplier<String> onTimeout = () -> "the response was not ready within its time limit";
    /** Null unless the response has no end of its own. */
    private DrainableSet.@Nullable EndlessExchange endless;
    /** Null unless the response is one of an upstream without an end of its own. */
    private DrainableSet.@Nullable EndlessExchange relayed;
    private boolean aborted;
    private boolean over;

    /** Creates the exchange of a request that has just arrived. */
    protected RoutedExchange(RoutedRequest request) {
        super(request);
    }

    /** Calls the handler and enforces the time limits. On the event loop. */
    public final void start(RouteHandler handler) {
        markLoopTask();
        try (var _ = LogContext.begin(requestId())) {
            try {
                handler.handle(this);
            } catch (Throwable e) {
                failed(e);
            }
        }
        if (!over) {
            watch = timeWatch();
            watch.begin(this);
        }
    }

    @Override
    public final void proceed(RouteHandler next) {
        if (!eventLoop().inEventLoop()) {
            eventLoop().execute(() -> proceed(next));
        } else if (!over && !aborted) {
            runStep(() -> next.handle(this));
        }
    }

    /** Returns whether a whole response was given, which cannot be taken back. */
    protected abstract boolean isAnswered();

    /** Returns whether a streamed response has begun. */
    protected abstract boolean hasResponseStarted();

    /** Returns how many bytes of the request's and the response's body have been transferred so far. */
    protected abstract long progress();

    /** Returns whether progress depends on the client, which has to send or to read. */
    protected abstract boolean waitsForClient();

    /** Returns whether the client may send the next message whenever it has one. */
    protected boolean isBetweenMessages() {
        return false;
    }

    /** Returns the watch over the time limits of this exchange. Called once. */
    protected abstract TimeWatch timeWatch();

    /** Runs a step with the request id in the logging context. An exception becomes the error response. */
    protected final void runStep(Step step) {
        markLoopTask();
        try (var _ = LogContext.of(requestId())) {
            try {
                step.run();
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /** Records that the running task of the event loop works for this route. On the event loop. */
    public final void markLoopTask() {
        LoopTaskMeter.runsFor(eventLoop(), uri());
    }

    private void failed(Throwable cause) {
        if (isAnswered() && !(cause instanceof HttpException)) {
            log.error("a handler failed after its response", cause);
        }
        boolean ended = over;
        fail(cause);
        if (!ended) {
            abort();
        }
    }

    /** Marks the exchange as over. */
    protected final void finish() {
        if (!over) {
            over = true;
            request.finish();
        }
        if (endless != null) {
            tunnels().remove(endless);
            endless = null;
        }
        if (relayed != null) {
            tunnels().removeRelayed(relayed);
            relayed = null;
        }
        if (watch != null) {
            watch.end();
            watch = null;
        }
    }

    /** Returns whether the response has been written or the client has left. */
    public final boolean isOver() {
        return over;
    }

    /** Aborts the request: runs the actions of {@link #onAbort}. On the event loop. */
    public final void abort() {
        aborted = true;
        Runnable action = onAbort;
        onAbort = null;
        if (action != null) {
            runStep(action::run);
        }
    }

    @Override
    public final void onAbort(Runnable action) {
        if (aborted) {
            action.run();
        } else {
            Runnable earlier = onAbort;
            onAbort = earlier == null ? action : () -> {
                runStep(earlier::run);
                action.run();
            };
        }
    }

    @Override
    public final void onTimeout(Supplier<String> action) {
        onTimeout = action;
    }

    /** Returns whether the request is one of an operator, for whom memory is never short. */
    final boolean isOfAdmin() {
        return request.kind().equals("admin");
    }

    /** Returns whether the response goes on until the drain, such as that to a subscriber of a topic. */
    final boolean streamsEvents() {
        return endless != null;
    }

    @Override
    public final void onDrain(Runnable action) {
        if (!over) {
            request.stopLatency();
            endless = new DrainableSet.EndlessExchange(eventLoop(), credential(),
                    () -> proceed(_ -> action.run()));
            tunnels().add(endless);
            request.leaveSite(); // like tunnels, it is drained before what it uses is closed
        }
    }

    @Override
    public final void onResponse(Consumer<HttpResponse> edit) {
        Consumer<HttpResponse> earlier = onResponse;
        onResponse = earlier == null ? edit : edit.andThen(earlier);
    }

    /** Applies the filters' edits to the head of a response. On the event loop. */
    protected final void edit(HttpResponse answer) {
        if (onResponse != null) {
            onResponse.accept(answer);
        }
    }

    @Override
    public final void limitTime(TimeLimits limits) {
        request.limitTime(limits);
        if (watch != null && !over) {
            watch.check();
        }
    }

    /**
     * Switches to the idle time limit, as a streamed response begins. On the event loop.
     *
     * @param lasts whether it may have no end of its own
     * @param ofUpstream whether it is that of an endpoint, whose upstream ends it even after its close
     */
    public final void onResponseStart(boolean lasts, boolean ofUpstream) {
        if (lasts) {
            request.stopLatency();
        }
        if (ofUpstream && lasts) {
            relayed = new DrainableSet.EndlessExchange(eventLoop(), credential(), this::revoke);
            tunnels().addRelayed(relayed);
        }
        if (ofUpstream) {
            request.leaveSite();
        }
        if (watch != null) {
            watch.restart();
        }
    }

    /** Returns the time limits; null if there are none. */
    final @Nullable TimeLimits limits() {
        return request.limits();
    }

    /** Called when a time limit has passed. On the event loop. */
    protected void expire() {
        if (!over) {
            refuse(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, onTimeout.get()));
        }
    }

    private void revoke() {
        refuse(new HttpException(HttpResponseStatus.UNAUTHORIZED, "the token is not known any more"));
    }

    private void refuse(HttpException reason) {
        if (!over) {
            fail(reason);
            abort();
        }
    }

    /** Returns whether the total time is limited. */
    public final boolean hasDeadline() {
        return limits() != null && limits().total().isPresent();
    }

    /** Returns the credential of the request; a reload that revokes it drains what the request has opened. */
    public final Credential credential() {
        return Credential.of(this);
    }

    /** Returns the open tunnels of the route, which must have been found. */
    public final DrainableSet tunnels() {
        return request.tunnels();
    }

    /** Returns the handler of the route, with its filters. */
    protected final RouteHandler handler() {
        return request.handler();
    }
}
