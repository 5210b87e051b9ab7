/** Readiness of the gateway, and a shutdown that loses no request. */
package io.sluice.gateway.lifecycle;
