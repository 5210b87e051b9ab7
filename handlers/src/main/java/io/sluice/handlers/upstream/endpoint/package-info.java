/** What is known of an endpoint: the time to its first bytes, its failures, its health; and what it is told. */
package io.sluice.handlers.upstream.endpoint;
