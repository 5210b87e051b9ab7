package io.sluice.handlers;

/** Answers the requests of one route. One instance serves all of them, on all event loops. */
@FunctionalInterface
public interface RouteHandler {

    /**
     * Takes a request when its head has arrived. Runs on the connection's event loop and must not
     * block it: what waits goes to an offload pool, and the answer may come later from any thread. A
     * request that is not answered by its deadline gets 504.
     *
     * @throws Exception becomes the answer: an {@link HttpException} with its status, others as 500
     */
    void handle(Exchange exchange) throws Exception;
}
