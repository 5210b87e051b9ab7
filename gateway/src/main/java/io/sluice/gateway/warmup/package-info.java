/** Requests that the gateway sends to itself before it says that it is ready. */
package io.sluice.gateway.warmup;
