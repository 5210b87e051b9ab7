/**
 * The server's command line ({@link io.sluice.gateway.Main}), its start and stop order
 * ({@link io.sluice.gateway.Gateway}), and the reload of its configuration
 * ({@link io.sluice.gateway.Reload}).
 */
package io.sluice.gateway;
