/**
 * What a route can do, behind two small contracts: a {@link io.sluice.handlers.RouteHandler} gets an
 * {@link io.sluice.handlers.Exchange} and answers it once, from any thread. HTTP's vocabulary is
 * Netty's; there is no second model beside it.
 */
package io.sluice.handlers;
