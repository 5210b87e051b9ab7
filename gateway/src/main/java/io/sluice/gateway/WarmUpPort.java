package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.warmup.WarmUp;
import io.sluice.gateway.warmup.WarmUpRoutes;
import io.sluice.handlers.upstream.UpstreamNetwork;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens a port on loopback by which the gateway warms up: with the protocols of its listeners, and routes of
 * its own.
 */
final class WarmUpPort {
    private final GatewayConfig config;
    private final Listeners listeners;
    private final Connections clients;
    private final PeriodicSteps steps;
    private final Meters meters;
    private final UpstreamNetwork network;

    /**
     * A port that is not open.
     *
     * @param clients the connections of clients, the first of which ends the warm-up
     * @param network by which the proxy reaches its endpoint, if there are upstreams
     */
    WarmUpPort(GatewayConfig config, Listeners listeners, Connections clients, PeriodicSteps steps,
               Meters meters, UpstreamNetwork network) {
        this.config = config;
        this.listeners = listeners;
        this.clients = clients;
        this.steps = steps;
        this.meters = meters;
        this.network = network;
    }

    /**
     * Starts the warm-up; empty if the configuration has none.
     *
     * @param done runs when the gateway is warm
     */
    Optional<WarmUp> open(Site site, Runnable done) throws StartException {
        Duration limit = config.lifecycle().warmUp();
        if (limit.isZero()) {
            done.run();
            return Optional.empty();
        }
        var routes = new WarmUpRoutes(site.resources().databases(),
                config.upstreams().isEmpty() ? Optional.empty() : Optional.of(network));
        var connections = new Connections(Duration.ZERO);
        OpenPort port;
        try {
            port = listeners.openToItself(new ConnectionInitializer(config.server().timeouts(), connections,
                    new HttpProtocols(config.server(), config.http2(), routes::table, connections,
                            routes.observer(), Optional.empty(), meters.clock()).detected(),
                    new ConnectionWatches(steps)));
        } catch (StartException e) {
            routes.close();
            throw e;
        }
        return Optional.of(WarmUp.start(limit, routes, port, () -> clients.count() > 0, done));
    }
}
