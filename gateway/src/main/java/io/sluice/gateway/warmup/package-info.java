/** The warm-up: requests that the gateway sends to itself before it reports ready. */
package io.sluice.gateway.warmup;
