/** The reverse proxy: passes an exchange on to an {@link io.sluice.handlers.upstream.Upstream} and back. */
package io.sluice.handlers.proxy;
