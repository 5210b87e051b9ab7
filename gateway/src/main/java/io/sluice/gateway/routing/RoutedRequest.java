package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Ticker;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.http.TargetQuery;
import io.sluice.offload.Deadline;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The head of a request, its route and its time limits. Confined to the event loop. */
public final class RoutedRequest {
    /** The {@link #uri} of requests without a route. */
    public static final String UNROUTED = "UNKNOWN";

    private final HttpRequest head;
    private final String id;
    private final String path;
    private final RouteMatch match;
    private final Ticker clock;
    /** Counts this request; null if it is not counted, or has left its site. */
    private @Nullable RoutingTable table;
    private final long startNanos;
    /** 0 until the request has finished. */
    private long elapsedNanos;
    /** 0 unless the response is a stream, or waits for messages. */
    private long latencyNanos;
    private @Nullable TimeLimits limits;
    private boolean isQueryChecked;

    /**
     * Creates a request that has just arrived.
     *
     * @param clock the event loop's
     * @param table is told when the request leaves its site; null if it is not counted
     */
    RoutedRequest(HttpRequest head, String id, String path, RouteMatch match, Ticker clock,
                  @Nullable RoutingTable table) {
        this.head = head;
        this.id = id;
        this.path = path;
        this.match = match;
        this.clock = clock;
        this.table = table;
        startNanos = clock.nanoTime();
    }

    /**
     * Creates a request without a route.
     *
     * @param clock the event loop's
     */
    public static RoutedRequest unrouted(HttpRequest head, String id, String path, Ticker clock) {
        return new RoutedRequest(head, id, path, RouteMatch.NONE, clock, null);
    }

    /** Adds time limits; of two limits for the same time, the shorter one applies. */
    public void limitTime(TimeLimits others) {
        limits = limits == null ? others : limits.strictest(others);
    }

    /** Returns the time limits; null if there are none. */
    public @Nullable TimeLimits limits() {
        return limits;
    }

    /** Returns the head as received. */
    public HttpRequest head() {
        return head;
    }

    /** Returns the id of the request in logs and in its response. */
    public String id() {
        return id;
    }

    /** Returns the normalised path. */
    public String path() {
        return path;
    }

    /** Returns the end of the total time; never, if that is not limited. */
    public Deadline deadline() {
        return limits == null || limits.total().isEmpty() ? Deadline.never(clock)
                : new Deadline(startNanos + limits.total().get().toNanos(), clock);
    }

    /** Returns the value of a capture of the route's path; null if there is no such capture. */
    public @Nullable String pathParameter(String name) {
        return match.capture(name);
    }

    /**
     * Returns the query parameter of that name, or null; throws 400 if there are several, or if the query is
     * not properly encoded UTF-8, or has more than 1,024 parameters.
     */
    public @Nullable String queryParameter(String name) {
        List<String> values = queryParameters(name);
        if (values.size() > 1) {
            throw HttpException.badParameter(name, "given " + values.size() + " times", "once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** Returns all query parameters of that name; throws like {@link #queryParameter}, but for several. */
    public List<String> queryParameters(String name) {
        try {
            if (!isQueryChecked) {
                PathNormalizer.requireUtf8Query(head.uri());
                isQueryChecked = true;
            }
            return TargetQuery.values(head.uri(), name);
        } catch (IllegalArgumentException e) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "a broken percent-encoding, or bytes that are not UTF-8, in the query");
        }
    }

    /** Returns the handler with its filters. */
    public RouteHandler handler() {
        return match.handler();
    }

    /** Returns the kind of the route's handler; empty if no route matched. */
    public String kind() {
        Route route = match.route();
        return route == null ? "" : route.kind();
    }

    /** Returns the open tunnels of the route, which must have been found. */
    public DrainableSet tunnels() {
        return Objects.requireNonNull(match.route(), "a route").tunnels();
    }

    /** Returns the template of the route's path, or {@link #UNROUTED} if no route matched. */
    public String uri() {
        Route route = match.route();
        return route == null ? UNROUTED : route.uri();
    }

    /** Ends the latency, as the response streams or waits from here on. */
    public void stopLatency() {
        latencyNanos = latencyNanos == 0 ? elapsedNanos() : latencyNanos;
    }

    /** Marks the request as finished, after its response or when its client has left. To be called once. */
    public void finish() {
        elapsedNanos = clock.nanoTime() - startNanos;
        leaveSite();
        Route route = match.route();
        if (route != null) {
            route.running().decrement();
        }
    }

    /**
     * Stops counting the request among the users of its site's resources, so that a reload may close those
     * that it has replaced. The request uses none of them any more, or something else, such as its tunnel,
     * keeps them open.
     */
    public void leaveSite() {
        if (table != null) {
            table.leave();
            table = null; // else a stream would keep all routes of a former site in memory
        }
    }

    /** Returns the nanoseconds from its arrival to its end or, before that, to now. */
    public long elapsedNanos() {
        return elapsedNanos != 0 ? elapsedNanos : clock.nanoTime() - startNanos;
    }

    /** Returns the nanoseconds to its end, or until its response began to stream or to wait. */
    public long latencyNanos() {
        return latencyNanos != 0 ? latencyNanos : elapsedNanos();
    }
}
