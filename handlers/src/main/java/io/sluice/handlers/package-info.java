/**
 * What a route can do, behind two small contracts: a {@link io.sluice.handlers.RouteHandler} gets an
 * {@link io.sluice.handlers.Exchange} and answers it once, from any thread. A connection that goes on with
 * another protocol belongs to a {@link io.sluice.handlers.Tunnel}. HTTP's vocabulary is Netty's; there is no
 * second model beside it.
 */
package io.sluice.handlers;
