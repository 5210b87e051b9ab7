package io.sluice.handlers;

import io.sluice.config.FilterConfig;

/**
 * A filter from another jar: {@code its-name { ... }} in a route.
 *
 * <p>It stands behind access control and before the limit of the body; of several, the first by name is the
 * outermost. Its handlers run on event loops and must not block them: work that may block belongs on a
 * {@linkplain PluginContext#pool pool}, after which {@link Exchange#proceed} goes on. One that reads the
 * body itself sets a limit before, by {@link Exchange#limitBody}: the route's does not hold yet, but one of
 * 64 KiB.
 */
public interface FilterProvider<C extends Record & FilterConfig> extends PluginProvider<C, Filter> {
}
