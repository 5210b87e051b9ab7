/** Resolves names, by DNS and the hosts file, without blocking: the only place that knows a resolver. */
package io.sluice.handlers.upstream.names;
