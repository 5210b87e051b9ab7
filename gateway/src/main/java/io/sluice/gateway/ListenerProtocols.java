package io.sluice.gateway;

import io.netty.channel.ChannelHandler;
import io.sluice.config.GatewayConfig;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.peer.ProxyHeaderDecoder;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.TlsObserver;
import io.sluice.gateway.tls.TlsProtocol;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates the handlers that initialise the new connections of each port. */
final class ListenerProtocols {
    private final Listeners.Shared shared;
    private final ConnectionWatches watches;
    private final ConnectionWatches adminWatches = new ConnectionWatches(PeriodicSteps.OWN_TIMERS);
    private final Connections adminConnections = new Connections(Duration.ZERO);
    private final TlsObserver tlsObserver;

    ListenerProtocols(Listeners.Shared shared, TlsObserver tlsObserver) {
        this.shared = shared;
        watches = new ConnectionWatches(shared.steps());
        this.tlsObserver = tlsObserver;
    }

    /** Returns the handler of the port for operators. */
    ChannelHandler admin(GatewayConfig config) {
        Supplier<RoutingTable> routes = () -> shared.site().get().adminRoutes();
        return new ConnectionInitializer(config.server().timeouts(), adminConnections,
                new HttpProtocols(config.server(), null, routes, adminConnections, _ -> { },
                        Optional.empty(), shared.meters().clock()).detected(), adminWatches);
    }

    /** Returns the handler of the port for clients without TLS. */
    ChannelHandler plain(GatewayConfig config) {
        return initializer(config, http(config, Optional.empty()).detected());
    }

    /** Returns the handler of the port for clients that speak TLS. */
    ChannelHandler tls(GatewayConfig config, Certificates used) {
        return initializer(config, new TlsProtocol(config.tls(), used, shared.connections(),
                http(config, config.tls().hsts()), tlsObserver));
    }

    /** Returns the names of the protocols behind TLS, in order of preference. */
    List<String> names(GatewayConfig config) {
        return List.copyOf(http(config, config.tls().hsts()).byName().keySet());
    }

    private HttpProtocols http(GatewayConfig config, Optional<Duration> hsts) {
        Supplier<RoutingTable> routes = () -> shared.site().get().routes();
        return new HttpProtocols(config.server(), config.http2(), routes, shared.connections(),
                shared.observer(), hsts, shared.meters().clock());
    }

    private ChannelHandler initializer(GatewayConfig config, Protocol protocol) {
        var initializer = new ConnectionInitializer(config.server().timeouts(), shared.connections(),
                protocol, watches);
        return shared.started().proxyProtocol()
                ? ProxyHeaderDecoder.before(initializer, config.server(), shared.limits()) : initializer;
    }
}
