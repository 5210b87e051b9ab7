package io.sluice.gateway;

import io.netty.util.concurrent.Future;
import io.sluice.config.GatewayConfig;
import io.sluice.config.read.EffectiveConfig;
import io.sluice.config.read.RunningTunnels;
import io.sluice.config.read.TunnelConfig;
import io.sluice.gateway.admin.GatewayState;
import io.sluice.gateway.admin.MeteredPool;
import io.sluice.gateway.metrics.MeteredUpstream;
import io.sluice.gateway.openapi.ApiDescription;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.topic.Bus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The state of the current site, as the admin port shows it.
 *
 * @param open returns the port for plain HTTP
 * @param reloading reloads the configuration; see {@link Reload#now}
 */
record CurrentGatewayState(Supplier<Site> site, IntSupplier open,
                           Supplier<Future<Map<String, Object>>> reloading) implements GatewayState {

    @Override
    public List<Route> routes() {
        return site.get().routes().routes();
    }

    @Override
    public ApiDescription api() {
        return site.get().api();
    }

    @Override
    public Map<String, MeteredPool> pools() {
        return site.get().resources().pools();
    }

    @Override
    public Map<String, ? extends Bus> buses() {
        return site.get().resources().topics().buses().objects();
    }

    @Override
    public Map<String, MeteredUpstream> upstreams() {
        return site.get().resources().upstreams();
    }

    @Override
    public EffectiveConfig config() {
        return site.get().loaded().effective();
    }

    @Override
    public Map<String, RunningTunnels> sockets() {
        Site current = site.get();
        var open = new LinkedHashMap<String, RunningTunnels>();
        current.resources().tunnels().forEach((route, tunnels) -> {
            Map<Credential, Integer> callers = tunnels.countByCredential();
            if (!callers.isEmpty()) {
                GatewayConfig config = current.config();
                var madeFrom = TunnelConfig.of(config, Resources.require(config.routes(), route));
                open.put(route, new RunningTunnels(madeFrom,
                        callers.entrySet().stream().map(CurrentGatewayState::byCaller).toList()));
            }
        });
        return open;
    }

    private static RunningTunnels.ByCaller byCaller(Map.Entry<Credential, Integer> open) {
        Credential by = open.getKey();
        return RunningTunnels.ByCaller.of(by.owner(), by.token(), open.getValue());
    }

    @Override
    public int port() {
        return open.getAsInt();
    }

    @Override
    public Future<Map<String, Object>> reload() {
        return reloading.get();
    }
}
