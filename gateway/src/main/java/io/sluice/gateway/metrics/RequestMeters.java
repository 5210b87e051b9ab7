package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.pipeline.RequestListener;
import io.sluice.gateway.pipeline.ServedRequest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    private record Key(String method, String uri, int status) {
    }

    /** Meters into these. */
    public RequestMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public void ended(ServedRequest request) {
        HttpMethod method = request.request().method();
        var key = new Key(STANDARD.contains(method) ? method.name() : "OTHER", request.uri(),
                request.status());
        Timer timer = timers.get(key); // without a lock, unlike what follows
        if (timer == null) {
            timer = timers.computeIfAbsent(key, this::timer);
        }
        timer.record(request.elapsedNanos(), TimeUnit.NANOSECONDS);
    }

    private Timer timer(Key key) {
        String outcome = switch (HttpResponseStatus.valueOf(key.status()).codeClass()) {
            case INFORMATIONAL -> "INFORMATIONAL";
            case SUCCESS -> "SUCCESS";
            case REDIRECTION -> "REDIRECTION";
            case CLIENT_ERROR -> "CLIENT_ERROR";
            case SERVER_ERROR -> "SERVER_ERROR";
            default -> "UNKNOWN";
        };
        return meters.request(key.method(), key.uri(), Integer.toString(key.status()), outcome);
    }
}
