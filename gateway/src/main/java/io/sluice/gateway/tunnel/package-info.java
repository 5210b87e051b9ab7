/**
 * Connections and streams that another protocol has taken over: their idle time, drain, back-pressure and
 * end. What their bytes mean is the business of their {@link io.sluice.handlers.Tunnel}.
 */
package io.sluice.gateway.tunnel;
