package io.sluice.gateway.warmup;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.metrics.UpstreamMeters;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.proxy.ProxyHandler;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.offload.Permits;
import java.util.Map;
import java.util.Objects;

/** An upstream whose only endpoint is the port of the warm-up, so that a request passes through it twice. */
final class WarmUpUpstream implements AutoCloseable {
    /** The beginning of the paths that are proxied; the endpoint does not get it. */
    static final String PREFIX = "/proxied";

    private static final String CONFIG = "warm-up.conf";
    private static final String NAME = "itself";

    private final Upstream upstream;
    private final RouteConfig route;

    /** Creates an upstream that opens no connection before its first request. */
    WarmUpUpstream(int port, UpstreamNetwork network) {
        GatewayConfig config = new ConfigLoader(Map.of("sluice.server.port", Integer.toString(port)))
                .loadResource(CONFIG).config();
        UpstreamConfig settings = Objects.requireNonNull(config.upstreams().get(NAME));
        route = Objects.requireNonNull(config.routes().get("proxied"));
        var meters = new UpstreamMeters();
        upstream = new Upstream(NAME, settings, Permits.create(NAME, settings, meters), meters, network,
                (_, _) -> {
                    throw new IllegalStateException("no endpoint has TLS");
                }, null);
    }

    /** Returns the handler of the proxied route. */
    RouteHandler handler() {
        return new ProxyHandler((HandlerConfig.Proxy) route.handler(), route, upstream);
    }

    @Override
    public void close() {
        upstream.close();
    }
}
