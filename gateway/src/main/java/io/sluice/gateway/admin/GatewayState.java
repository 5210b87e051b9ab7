package io.sluice.gateway.admin;

import io.netty.util.concurrent.Future;
import io.sluice.config.read.EffectiveConfig;
import io.sluice.config.read.RunningTunnels;
import io.sluice.gateway.metrics.MeteredUpstream;
import io.sluice.gateway.openapi.ApiDescription;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.topic.Bus;
import java.util.List;
import java.util.Map;

/** The operators' view of the running gateway. Methods may be called from any thread and do not block. */
public interface GatewayState {

    /** Returns the current routes for clients. */
    List<Route> routes();

    /** Returns the description of the current routes. */
    ApiDescription api();

    /** Returns the offload pools, by name. */
    Map<String, MeteredPool> pools();

    /** Returns the upstreams, by name. */
    Map<String, MeteredUpstream> upstreams();

    /** Returns the buses of topics, by name. */
    Map<String, ? extends Bus> buses();

    /** Returns the configuration in effect. */
    EffectiveConfig config();

    /** Returns the open tunnels, WebSockets among them, by the names of routes that have any. */
    Map<String, RunningTunnels> sockets();

    /** Returns the port that serves clients. */
    int port();

    /**
     * Reads the configuration again and applies it.
     *
     * @return the changes, for a JSON response; fails with a {@link ReloadException} if the configuration was
     *     refused and nothing has changed
     * @throws java.util.concurrent.RejectedExecutionException while the gateway starts or stops
     */
    Future<Map<String, Object>> reload();
}
