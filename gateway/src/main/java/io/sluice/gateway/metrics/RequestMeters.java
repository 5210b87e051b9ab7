package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.handlers.proxy.ProxyTimings;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Meters requests, and those to upstreams, by method, route, status and outcome. The tag {@code uri} is the
 * route's template, which bounds the number of time series whatever clients request.
 */
public final class RequestMeters implements RequestObserver {
    private final Meters meters;
    private final FastThreadLocal<Timers> timers = new FastThreadLocal<>() {
        @Override
        protected Timers initialValue() {
            return new Timers(meters.requestShard());
        }
    };

    /** The timers of one event loop's thread. */
    private record Timers(OutcomeTimers served, OutcomeTimers proxied) {
        Timers(MeterRegistry shard) {
            this(new OutcomeTimers(shard, Meters::request), new OutcomeTimers(shard, Meters::proxied));
        }
    }

    /** Records requests in the given meters. */
    public RequestMeters(Meters meters) {
        this.meters = meters;
    }

    /** Removes the timers of all other routes. Affects the calling event loop's only. */
    public void retain(Set<String> uris) {
        timers.get().served().retain(uris);
        timers.get().proxied().retain(uris);
    }

    @Override
    public void ended(ServedRequest request) {
        Timers own = timers.get();
        HttpMethod method = request.request().method();
        own.served().of(method, request.uri(), request.status())
                .record(request.latencyNanos(), TimeUnit.NANOSECONDS);
        ProxyTimings proxied = ProxyTimings.of(request);
        if (proxied != null && proxied.endpoint() != null) {
            own.proxied().of(method, request.uri(), status(proxied))
                    .record(proxied.nanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static int status(ProxyTimings proxied) {
        if (proxied.hasFailed()) {
            return OutcomeTimers.FAILED;
        }
        return proxied.status() == 0 ? OutcomeTimers.CANCELLED : proxied.status();
    }
}
