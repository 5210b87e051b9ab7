package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.offload.Deadline;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A request's head and what is known of it. Confined to the event loop. */
public final class RoutedRequest {
    /** What {@link #uri} is where no route matched. */
    public static final String UNROUTED = "UNKNOWN";

    private static final int MAX_PARAMETERS = 1024;

    private final HttpRequest head;
    private final String id;
    private final String path;
    private final RouteMatch match;
    private final Ticker clock;
    /** Counts the requests that run; null where this one is not counted. */
    private final LongAdder running;
    private final long startNanos;
    /** 0 until then. */
    private long elapsedNanos;
    private TimeLimits limits;
    private QueryStringDecoder query;

    /**
     * A request that has just arrived.
     *
     * @param clock the event loop's
     * @param running is decremented at its end; null where it is not counted
     */
    RoutedRequest(HttpRequest head, String id, String path, RouteMatch match, Ticker clock,
                  LongAdder running) {
        this.head = head;
        this.id = id;
        this.path = path;
        this.match = match;
        this.clock = clock;
        this.running = running;
        startNanos = clock.nanoTime();
    }

    /**
     * A request that has no route.
     *
     * @param clock the event loop's
     */
    public static RoutedRequest unrouted(HttpRequest head, String id, String path, Ticker clock) {
        return new RoutedRequest(head, id, path, RouteMatch.NONE, clock, null);
    }

    /** Shortens the times that it may take, where these are shorter. */
    public void limitTime(TimeLimits others) {
        limits = limits == null ? others : limits.strictest(others);
    }

    /** The times that it may take; null where none are limited. */
    public TimeLimits limits() {
        return limits;
    }

    /** The head as it arrived. */
    public HttpRequest head() {
        return head;
    }

    /** The id that it has in logs and in its answer. */
    public String id() {
        return id;
    }

    /** The normalised path. */
    public String path() {
        return path;
    }

    /** The end of its whole time. */
    public Deadline deadline() {
        return limits == null || limits.total().isEmpty() ? Deadline.never(clock)
                : new Deadline(startNanos + limits.total().get().toNanos(), clock);
    }

    /** What a capture of the route's path caught; null without such a capture. */
    public String pathParameter(String name) {
        return match.capture(name);
    }

    /**
     * The first of that name, or null; 400 where the query is not properly encoded UTF-8. Only {@code &}
     * separates parameters: one that a {@code ;} begins here might not be one to others on the way.
     */
    public String queryParameter(String name) {
        try {
            if (query == null) {
                PathNormalizer.requireUtf8Query(head.uri());
                query = new QueryStringDecoder(head.uri(), StandardCharsets.UTF_8, true, MAX_PARAMETERS,
                        true);
            }
            List<String> values = query.parameters().get(name);
            return values == null ? null : values.getFirst();
        } catch (IllegalArgumentException e) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "a broken percent-encoding, or bytes that are not UTF-8, in the query");
        }
    }

    /** The handler that answers it, with its filters. */
    public RouteHandler handler() {
        return match.handler();
    }

    private boolean hasRoute() {
        return match.route() != null;
    }

    /** The template of the route's path, or {@link #UNROUTED} where none matched. */
    public String uri() {
        return hasRoute() ? match.route().uri() : UNROUTED;
    }

    /** It has been answered, or nobody is there for an answer. Once. */
    public void finish() {
        elapsedNanos = clock.nanoTime() - startNanos;
        if (running != null) {
            running.decrement();
        }
    }

    /** From its arrival to its end, or until now. */
    public long elapsedNanos() {
        return elapsedNanos != 0 ? elapsedNanos : clock.nanoTime() - startNanos;
    }
}
