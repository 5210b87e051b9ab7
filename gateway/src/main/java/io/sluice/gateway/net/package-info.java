/** The transport, open ports, connections and the enforcement of their timeouts. Independent of HTTP. */
package io.sluice.gateway.net;
