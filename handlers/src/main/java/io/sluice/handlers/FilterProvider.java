package io.sluice.handlers;

import io.sluice.config.FilterConfig;

/**
 * Provides a plug-in's filter: {@code its-name { ... }} in a route.
 *
 * <p>It runs after access control and before the limit of the body; of several, the first by name is the
 * outermost. Its handlers run on event loops and must not block: blocking work belongs on a
 * {@linkplain PluginContext#pool pool}, after which {@link Exchange#proceed} continues the request. A filter
 * that reads the body sets a limit before, by {@link Exchange#limitBody}: the route's limit does not apply
 * yet, but one of 64 KiB.
 */
public interface FilterProvider<C extends Record & FilterConfig> extends PluginProvider<C, Filter> {
}
