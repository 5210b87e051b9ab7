package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.metrics.EventLoopMonitor;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.warmup.Practice;
import io.sluice.gateway.warmup.WarmUp;
import io.sluice.handlers.upstream.UpstreamNetwork;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens a port on loopback by which the gateway warms up: with the protocols of its listeners, and routes of
 * its own.
 *
 * @param connections those of clients, who end the warm-up
 * @param network by which the proxy practises, if there are upstreams
 */
record PracticeDoor(GatewayConfig config, Listeners listeners, Connections connections,
                    EventLoopMonitor ticks, Meters meters, UpstreamNetwork network) {

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
        var practice = new Practice(site.resources().databases(),
                config.upstreams().isEmpty() ? Optional.empty() : Optional.of(network));
        var among = new Connections(Duration.ZERO);
        OpenPort door;
        try {
            door = listeners.openToItself(new ConnectionInitializer(config.server().timeouts(), among,
                    new HttpProtocols(config.server(), config.http2(), practice::table, among,
                            practice.observer(), Optional.empty(), meters.clock()).detected(),
                    new ConnectionWatches(ticks)));
        } catch (StartException e) {
            practice.close();
            throw e;
        }
        return Optional.of(WarmUp.start(limit, practice, door, () -> connections.count() > 0, done));
    }
}
