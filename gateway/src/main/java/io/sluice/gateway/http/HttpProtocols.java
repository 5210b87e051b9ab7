package io.sluice.gateway.http;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.sluice.config.Http2Config;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.http1.Http1Pipeline;
import io.sluice.gateway.http1.PlainHttpRefusal;
import io.sluice.gateway.http2.Http2Pipeline;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.routing.RoutingTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the pipelines of the HTTP versions that a listener supports. */
public final class HttpProtocols {
    private static final String HTTP_1_0 = "http/1.0";

    private final Http1Pipeline http1;
    /** Null if HTTP/2 is not supported. */
    private final @Nullable Http2Pipeline http2;
    private final PlainHttpRefusal refusal;

    /**
     * Creates the protocols of a listener.
     *
     * @param http2Config null if HTTP/2 is not supported
     * @param routes returns the current routes; called once for each request
     * @param hsts how long browsers shall use https only; empty for no such header field
     * @param clock milliseconds since 1970, for the header field Date
     */
    public HttpProtocols(ServerConfig config, @Nullable Http2Config http2Config,
                         Supplier<RoutingTable> routes,
                         Connections connections, RequestObserver observer, Optional<Duration> hsts,
                         LongSupplier clock) {
        var exchanges = new ExchangeFactory(config, routes, observer,
                new ResponseHeaders(config, hsts, clock));
        http1 = new Http1Pipeline(config, exchanges, connections);
        http2 = http2Config == null ? null : new Http2Pipeline(config, http2Config, exchanges, connections);
        refusal = new PlainHttpRefusal(new ResponseHeaders(config, Optional.empty(), clock));
    }

    /** Returns a protocol that selects the HTTP version by the connection's first bytes. */
    public Protocol detected() {
        return (pipeline, watch) -> {
            if (http2 != null) {
                pipeline.addLast(new PrefaceDetector(http2, watch));
            }
            http1.addTo(pipeline, watch);
        };
    }

    /** Returns the protocols by their ALPN names (RFC 7301), the preferred one first. */
    public SequencedMap<String, Protocol> byName() {
        var all = new LinkedHashMap<String, Protocol>();
        if (http2 != null) {
            all.put(ApplicationProtocolNames.HTTP_2, http2);
        }
        all.put(ApplicationProtocolNames.HTTP_1_1, http1);
        all.put(HTTP_1_0, http1);
        return all;
    }

    /** Returns the handler that responds to plain HTTP on a port for TLS. */
    public PlainHttpRefusal refusal() {
        return refusal;
    }
}
