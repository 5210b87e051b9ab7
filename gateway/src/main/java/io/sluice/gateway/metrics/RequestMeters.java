package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.gateway.pipeline.RequestListener;
import io.sluice.gateway.pipeline.ServedRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Meters requests by method, route, status and outcome. The uri is the route's template, so that the
 * number of time series has a bound, whatever clients ask for.
 */
public final class RequestMeters implements RequestListener {
    private static final Set<HttpMethod> STANDARD = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST,
            HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE,
            HttpMethod.CONNECT);

    private final Meters meters;
    private final FastThreadLocal<Timers> timers = new FastThreadLocal<>() {
        @Override
        protected Timers initialValue() {
            return new Timers(meters.requestShard(), new HashMap<>());
        }
    };

    /** Compares by itself: a record's code for this is linked at run time, while the first request waits. */
    private record Key(String method, String uri, int status) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && status == key.status && method.equals(key.method)
                    && uri.equals(key.uri);
        }

        @Override
        public int hashCode() {
            return (method.hashCode() * 31 + uri.hashCode()) * 31 + status;
        }
    }

    /** Those of one thread, an event loop. */
    private record Timers(MeterRegistry shard, Map<Key, Timer> known) {
    }

    /** Meters into these. */
    public RequestMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public void ended(ServedRequest request) {
        HttpMethod method = request.request().method();
        Timers own = timers.get();
        Timer timer = own.known.get(new Key(method.name(), request.uri(), request.status()));
        if (timer == null) {
            timer = own.known.computeIfAbsent(new Key(STANDARD.contains(method) ? method.name() : "OTHER",
                    request.uri(), request.status()), key -> timer(own.shard, key));
        }
        timer.record(request.elapsedNanos(), TimeUnit.NANOSECONDS);
    }

    private static Timer timer(MeterRegistry shard, Key key) {
        String outcome = switch (HttpResponseStatus.valueOf(key.status()).codeClass()) {
            case INFORMATIONAL -> "INFORMATIONAL";
            case SUCCESS -> "SUCCESS";
            case REDIRECTION -> "REDIRECTION";
            case CLIENT_ERROR -> "CLIENT_ERROR";
            case SERVER_ERROR -> "SERVER_ERROR";
            default -> "UNKNOWN";
        };
        return Meters.request(shard, key.method(), key.uri(), Integer.toString(key.status()), outcome);
    }
}
