package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.openapi.ApiDescription;
import io.sluice.gateway.routing.RoutingTable;

/**
 * The immutable state that is served from one reload to the next. A request ends on the site that it began
 * on.
 *
 * @param api describes the routes
 * @param routes the routes of the listeners for clients
 * @param adminRoutes the routes of the admin port
 */
record Site(LoadedConfig loaded, Resources resources, ApiDescription api, RoutingTable routes,
            RoutingTable adminRoutes) {

    GatewayConfig config() {
        return loaded.config();
    }
}
