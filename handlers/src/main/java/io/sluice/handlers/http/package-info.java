/** Handlers of HTTP routes, one for each record of {@link io.sluice.config.HandlerConfig}. */
package io.sluice.handlers.http;
