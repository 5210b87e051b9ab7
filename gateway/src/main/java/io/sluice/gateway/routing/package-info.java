/** From a request's target to the route that serves it, and from an exception to the answer it becomes. */
package io.sluice.gateway.routing;
