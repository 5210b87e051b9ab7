package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpStatusClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one meter in one event loop, by route, method and status. Upstreams choose statuses, so that
 * those of a route are bounded: further ones count as unknown, by their class. Confined to its thread.
 */
final class OutcomeTimers {
    /** Stands for the status of a request that was cancelled before its response. */
    static final int CANCELLED = -1;
    /** Stands for the status of a request whose response did not arrive, or not completely. */
    static final int FAILED = -2;
    /** The most timers of a route whose statuses are told apart. */
    static final int MAX_TIMERS = 128;

    private static final int HUNDRED = 100;
    /** Stands for all methods that are not standard, as in the conventions of Micrometer and Spring. */
    private static final String UNKNOWN = "UNKNOWN";
    private static final Set<HttpMethod> STANDARD = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST,
            HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE,
            HttpMethod.CONNECT);

    private final MeterRegistry shard;
    private final Definition meter;
    private final Map<String, List<Outcome>> byUri = new HashMap<>();

    /** Registers a timer. */
    @FunctionalInterface
    interface Definition {
        Timer timer(MeterRegistry shard, String method, String uri, String status, String outcome);
    }

    /** The timer of one combination of method and status. */
    private record Outcome(String method, int status, Timer timer) {
    }

    OutcomeTimers(MeterRegistry shard, Definition meter) {
        this.shard = shard;
        this.meter = meter;
    }

    void retain(Set<String> uris) {
        byUri.entrySet().removeIf(entry -> {
            boolean goes = !uris.contains(entry.getKey());
            if (goes) {
                entry.getValue().forEach(outcome -> shard.remove(outcome.timer));
            }
            return goes;
        });
    }

    Timer of(HttpMethod method, String uri, int status) {
        Timer known = find(method.name(), uri, status);
        return known != null ? known : add(STANDARD.contains(method) ? method.name() : UNKNOWN, uri, status);
    }

    private @Nullable Timer find(String method, String uri, int status) {
        List<Outcome> outcomes = byUri.getOrDefault(uri, List.of());
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            if (outcome.status == status && outcome.method.equals(method)) {
                return outcome.timer;
            }
        }
        return null;
    }

    private Timer add(String method, String uri, int status) {
        Timer known = find(method, uri, status); // the method or the status may be UNKNOWN
        if (known != null) {
            return known;
        }
        List<Outcome> outcomes = byUri.computeIfAbsent(uri, _ -> new ArrayList<>());
        if (status > 0 && outcomes.size() >= MAX_TIMERS) {
            return add(method, uri, -status / HUNDRED * HUNDRED);
        }
        Timer timer = meter.timer(shard, method, uri, status(status), outcome(status));
        outcomes.add(new Outcome(method, status, timer));
        return timer;
    }

    /** Returns the tag by the conventions of Micrometer and Spring. */
    private static String status(int status) {
        return switch (status) {
            case CANCELLED -> "CLIENT_ERROR";
            case FAILED -> "IO_ERROR";
            default -> status < 0 ? UNKNOWN : Integer.toString(status);
        };
    }

    private static String outcome(int status) {
        return switch (HttpStatusClass.valueOf(Math.abs(status))) {
            case INFORMATIONAL -> "INFORMATIONAL";
            case SUCCESS -> "SUCCESS";
            case REDIRECTION -> "REDIRECTION";
            case CLIENT_ERROR -> "CLIENT_ERROR";
            case SERVER_ERROR -> "SERVER_ERROR";
            default -> "UNKNOWN";
        };
    }
}
