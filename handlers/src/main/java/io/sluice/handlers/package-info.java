/**
 * Contracts between routes and their handlers: a {@link io.sluice.handlers.RouteHandler} gets an
 * {@link io.sluice.handlers.Exchange} and responds once, on any thread. A
 * {@link io.sluice.handlers.Tunnel} serves a connection that has switched to another protocol. HTTP messages
 * are Netty's types; there is no second model.
 */
package io.sluice.handlers;
