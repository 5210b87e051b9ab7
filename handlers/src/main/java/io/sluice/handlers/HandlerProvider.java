package io.sluice.handlers;

import io.sluice.config.HandlerConfig;

/**
 * A kind of handler from another jar: {@code handler = its-name} in a route.
 *
 * <p>Its handlers run on event loops and must not block them, as any {@link RouteHandler}: files, databases,
 * other servers and any computation above 5 ms belong on a {@linkplain PluginContext#pool pool}.
 */
public interface HandlerProvider<C extends Record & HandlerConfig.Plugin>
        extends PluginProvider<C, RouteHandler> {
}
