package io.sluice.gateway.pipeline;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.gateway.routing.RouteMatch;
import io.sluice.handlers.HttpException;
import io.sluice.offload.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A request's head and what is known of it. Confined to the event loop. */
final class RoutedRequest {
    private static final int MAX_PARAMETERS = 1024;

    private final HttpRequest head;
    private final String id;
    private final String path;
    private final RouteMatch match;
    private final long startNanos = System.nanoTime();
    private Deadline deadline;
    private QueryStringDecoder query;

    RoutedRequest(HttpRequest head, String id, String path, RouteMatch match, Duration time) {
        this.head = head;
        this.id = id;
        this.path = path;
        this.match = match;
        deadline = Deadline.after(time);
    }

    /**
     * Gives it as little time as the client says it will wait.
     *
     * @throws HttpException 400 where the client says something else
     */
    void shortenDeadline() {
        for (String timeout : head.headers().getAll(RequestTimeout.HEADER)) {
            deadline = deadline.earliest(Deadline.after(RequestTimeout.parse(timeout)));
        }
    }

    HttpRequest head() {
        return head;
    }

    String id() {
        return id;
    }

    String path() {
        return path;
    }

    Deadline deadline() {
        return deadline;
    }

    String pathParameter(String name) {
        return match.capture(name);
    }

    /**
     * The first of that name, or null; 400 where the query is not properly encoded. Only {@code &}
     * separates parameters: one that a {@code ;} begins here might not be one to others on the way.
     */
    String queryParameter(String name) {
        try {
            if (query == null) {
                query = new QueryStringDecoder(head.uri(), StandardCharsets.UTF_8, true, MAX_PARAMETERS,
                        true);
            }
            List<String> values = query.parameters().get(name);
            return values == null ? null : values.getFirst();
        } catch (IllegalArgumentException e) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST, "a broken percent-encoding in the query");
        }
    }

    boolean hasRoute() {
        return match.route() != null;
    }

    /** The template of the route's path, or {@code UNKNOWN} where none matched. */
    String uri() {
        return hasRoute() ? match.route().uri() : "UNKNOWN";
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }
}
