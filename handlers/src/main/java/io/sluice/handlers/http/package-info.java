/** The kinds of HTTP routes: one handler for each record of {@link io.sluice.config.HandlerConfig}. */
package io.sluice.handlers.http;
