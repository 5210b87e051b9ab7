package io.sluice.handlers;

import io.sluice.config.HandlerConfig;

/**
 * Provides a plug-in's kind of handler: {@code handler = its-name} in a route.
 *
 * <p>Its handlers run on event loops and must not block, like any {@link RouteHandler}: file and database
 * access, calls of other servers, and computations above 5 ms belong on a {@linkplain PluginContext#pool
 * pool}.
 */
public interface HandlerProvider<C extends Record & HandlerConfig.Plugin>
        extends PluginProvider<C, RouteHandler> {
}
