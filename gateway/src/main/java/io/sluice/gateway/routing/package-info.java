/** Routing of requests by method and path, and the error responses for exceptions. */
package io.sluice.gateway.routing;
