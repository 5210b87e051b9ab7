package io.sluice.gateway.admin;

import io.netty.util.concurrent.Future;
import io.sluice.config.read.EffectiveConfig;
import io.sluice.gateway.routing.Route;
import java.util.List;
import java.util.Map;

/** What operators see of the gateway as it is now, and may do with it. Any thread. */
public interface Operated {

    /** The routes that are served. */
    List<Route> routes();

    /** Offload pools by their names. */
    Map<String, MeteredPool> pools();

    /** The configuration that is in effect. */
    EffectiveConfig config();

    /** How many WebSockets are open, by the names of their routes. */
    Map<String, Integer> sockets();

    /** The port that the routes are served on. */
    int port();

    /**
     * Reads the configuration again and follows it.
     *
     * @return what has changed, for JSON; or a {@link ReloadException} where nothing has
     */
    Future<Map<String, Object>> reload();
}
