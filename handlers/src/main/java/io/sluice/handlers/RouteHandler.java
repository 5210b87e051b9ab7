package io.sluice.handlers;

/** Responds to the requests of a route. One instance serves all of them, on all event loops. */
@FunctionalInterface
public interface RouteHandler {

    /**
     * Handles a request when its head has arrived. Runs on the connection's event loop and must not block:
     * blocking work goes to an offload pool, and the response may be sent later on any thread. A request
     * without a response at its deadline gets 504.
     *
     * @throws Exception becomes the response: an {@link HttpException} with its status, others as 500
     */
    void handle(Exchange exchange) throws Exception;
}
