package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.bench.AlternatingRounds.Users;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.server.OriginServer;

/**
 * A load on a proxy.
 *
 * @param name in the table; its requests' kind
 * @param tls whether clients speak TLS
 * @param warmUp the same without a limit of the rate, as a JVM compiles what runs often
 * @param measured what is measured
 */
record ProxyLoad(String name, boolean tls, Users warmUp, Users measured) {

    private static final int CONNECTIONS = 64;
    private static final int UPLOADED = 1_000_000;
    private static final String TEXT = "Hello, WebSocket! Are you there?";

    /** Requests one after the other on each connection. */
    static ProxyLoad closed(String name, String path) {
        var request = Request.get(name, path);
        Users users = port -> Load.closed(port, CONNECTIONS, () -> request);
        return new ProxyLoad(name, false, users, users);
    }

    /** Requests at a fixed mean rate. */
    static ProxyLoad open(String name, Request request, double perSecond) {
        return new ProxyLoad(name, false,
                port -> Load.closed(port, CONNECTIONS, () -> request),
                port -> Load.open(port, CONNECTIONS, Arrivals.independent(perSecond), () -> request));
    }

    /** Requests at a fixed mean rate from clients that speak TLS. */
    static ProxyLoad tls(String name, Request request, double perSecond) {
        return new ProxyLoad(name, true,
                port -> Load.closedTls(port, CONNECTIONS, () -> request),
                port -> Load.openTls(port, CONNECTIONS, Arrivals.independent(perSecond), () -> request));
    }

    /** WebSockets on which a text is sent again as soon as it has come back. */
    static ProxyLoad echo(String name) {
        Users users = port -> Load.echo(port, CONNECTIONS, OriginServer.ECHO, TEXT);
        return new ProxyLoad(name, false, users, users);
    }

    /** An upload of a megabyte. */
    static Request upload(String name) {
        return Request.post(name, OriginServer.UPLOAD, "x".repeat(UPLOADED));
    }
}
