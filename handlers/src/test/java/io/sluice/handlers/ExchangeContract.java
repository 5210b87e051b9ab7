package io.sluice.handlers;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Contract of every exchange, composed of one interface per subject. */
public abstract class ExchangeContract implements
        ResponseContract,
        StreamContract,
        BodyContract,
        FilterContract,
        AbortContract,
        TimeContract {
    private final List<Served> servers = new ArrayList<>();

    /** Starts a server with one handler. */
    protected abstract Served start(RouteHandler handler) throws Exception;

    @Override
    public final Served serve(RouteHandler handler) {
        try {
            Served server = start(handler);
            servers.add(server);
            return server;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        servers.forEach(Served::close);
    }
}
