/**
 * Connections and streams that another protocol has taken over: their idle timeout, drain, back-pressure and
 * close. A {@link io.sluice.handlers.Tunnel} interprets their bytes.
 */
package io.sluice.gateway.tunnel;
