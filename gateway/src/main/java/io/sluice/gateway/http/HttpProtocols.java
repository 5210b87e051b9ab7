package io.sluice.gateway.http;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.sluice.config.Http2Config;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.AnswerHeaders;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.RequestObserver;
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

/** The versions of HTTP that a listener's connections speak. */
public final class HttpProtocols {
    private final Http1Pipeline http1;
    /** Null where it is not spoken. */
    private final Http2Pipeline http2;
    private final PlainHttpRefusal refusal;

    /**
     * For a listener's connections.
     *
     * @param http2Config null where HTTP/2 is not spoken
     * @param routes the current routes; each request asks once
     * @param hsts for how long browsers are to come by https alone; only where they have
     * @param clock ms since 1970, for the header Date
     */
    public HttpProtocols(ServerConfig config, Http2Config http2Config, Supplier<RoutingTable> routes,
                         Connections connections, RequestObserver listener, Optional<Duration> hsts,
                         LongSupplier clock) {
        var exchanges = new ExchangeFactory(config, routes, listener, new AnswerHeaders(config, hsts, clock));
        http1 = new Http1Pipeline(config, exchanges, connections);
        http2 = http2Config == null ? null : new Http2Pipeline(config, http2Config, exchanges, connections);
        refusal = new PlainHttpRefusal(new AnswerHeaders(config, Optional.empty(), clock));
    }

    /** The one that a connection's first bytes tell. */
    public Protocol detected() {
        return (pipeline, watch) -> {
            if (http2 != null) {
                pipeline.addLast(new PrefaceDetector(http2, watch));
            }
            http1.addTo(pipeline, watch);
        };
    }

    /** By the names that TLS has for them (RFC 7301), the best first. */
    public SequencedMap<String, Protocol> byName() {
        var all = new LinkedHashMap<String, Protocol>();
        if (http2 != null) {
            all.put(ApplicationProtocolNames.HTTP_2, http2);
        }
        all.put(ApplicationProtocolNames.HTTP_1_1, http1);
        return all;
    }

    /** For clients that should speak TLS. */
    public PlainHttpRefusal refusal() {
        return refusal;
    }
}
