/**
 * The server: {@link io.sluice.gateway.Main} is its command line, {@link io.sluice.gateway.Gateway} the
 * order in which it starts and stops.
 */
package io.sluice.gateway;
