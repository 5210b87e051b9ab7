/** Active checks of endpoints, in the protocol of their requests. Knows no upstreams. */
package io.sluice.handlers.upstream.check;
