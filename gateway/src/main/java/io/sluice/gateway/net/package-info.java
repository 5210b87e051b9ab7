/** Transport, open ports, connections and what watches over them. Knows nothing of HTTP. */
package io.sluice.gateway.net;
