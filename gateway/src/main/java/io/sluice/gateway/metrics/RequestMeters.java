package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.exchange.ServedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Meters requests by method, route, status and outcome. The tag {@code uri} is the route's template, which
 * bounds the number of time series whatever clients request.
 */
public final class RequestMeters implements RequestObserver {
    private static final Set<HttpMethod> STANDARD = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST,
            HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE,
            HttpMethod.CONNECT);

    private final Meters meters;
    private final FastThreadLocal<Timers> timers = new FastThreadLocal<>() {
        @Override
        protected Timers initialValue() {
            return new Timers(meters.requestShard());
        }
    };

    /** The timer of one combination of method and status. */
    private record Outcome(String method, int status, Timer timer) {
    }

    /** The timers of one event loop's thread. */
    private static final class Timers {
        private final MeterRegistry shard;
        private final Map<String, List<Outcome>> byUri = new HashMap<>();

        Timers(MeterRegistry shard) {
            this.shard = shard;
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
            return known != null ? known
                    : add(STANDARD.contains(method) ? method.name() : "OTHER", uri, status);
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
            Timer timer = find(method, uri, status); // the method may be OTHER, which no request has
            if (timer == null) {
                timer = timer(shard, method, uri, status);
                byUri.computeIfAbsent(uri, _ -> new ArrayList<>()).add(new Outcome(method, status, timer));
            }
            return timer;
        }
    }

    /** Records requests in the given meters. */
    public RequestMeters(Meters meters) {
        this.meters = meters;
    }

    /** Removes the timers of all other routes. Affects the calling event loop's only. */
    public void retain(Set<String> uris) {
        timers.get().retain(uris);
    }

    @Override
    public void ended(ServedRequest request) {
        timers.get().of(request.request().method(), request.uri(), request.status())
                .record(request.elapsedNanos(), TimeUnit.NANOSECONDS);
    }

    private static Timer timer(MeterRegistry shard, String method, String uri, int status) {
        String outcome = switch (HttpResponseStatus.valueOf(status).codeClass()) {
            case INFORMATIONAL -> "INFORMATIONAL";
            case SUCCESS -> "SUCCESS";
            case REDIRECTION -> "REDIRECTION";
            case CLIENT_ERROR -> "CLIENT_ERROR";
            case SERVER_ERROR -> "SERVER_ERROR";
            default -> "UNKNOWN";
        };
        return Meters.request(shard, method, uri, Integer.toString(status), outcome);
    }
}
