package io.sluice.gateway;

import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Served;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A server with one handler and no filters, and a client of one protocol. */
public abstract class ServedOverHttp implements Served {
    private static final Set<Method> ALL =
            Set.of(Method.GET, Method.POST, Method.PUT, Method.PATCH, Method.DELETE);

    private final HandlerServer server;

    /** Starts a server. */
    protected ServedOverHttp(RouteHandler handler) {
        server = HandlerServer.withClock(Map.of(), route(handler));
    }

    /** Returns the route of every request. */
    public static Route route(RouteHandler handler) {
        return new Route("exchange", PathTemplate.parse("/exchange"), ALL, "test", handler);
    }

    /** Returns the server. */
    protected final HandlerServer server() {
        return server;
    }

    /** An action that may fail when the server has stopped. */
    protected interface Step {
        void run() throws IOException;
    }

    /** Runs an action that must not fail in these tests. */
    protected static void attempt(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public final void settle() {
        server.settle();
    }

    @Override
    public final void pass(Duration time) {
        server.pass(time);
    }

    @Override
    public void close() {
        server.close();
    }
}
