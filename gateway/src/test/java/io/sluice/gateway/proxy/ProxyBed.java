package io.sluice.gateway.proxy;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.Upstream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A gateway with one event loop that proxies all paths to one upstream, whose servers belong to the test. */
public final class ProxyBed implements AutoCloseable {
    /**
     * The time within which the end of a client is noticed: 500 ms, and more on a busy machine, but less than
     * any time limit by which its request would end.
     */
    public static final Duration SOON = Duration.ofSeconds(5);

    private final RunningGateway gateway;
    private final ByteOrigin[] origins;

    private ProxyBed(RunningGateway gateway, ByteOrigin[] origins) {
        this.gateway = gateway;
        this.origins = origins;
    }

    /** Starts a gateway. Closing it closes the servers. */
    public static ProxyBed start(ByteOrigin... origins) {
        return start("", origins);
    }

    /** Starts a gateway with settings such as {@code sluice.upstreams.origin.retries = 0}. */
    public static ProxyBed start(String settings, ByteOrigin... origins) {
        String endpoints = Arrays.stream(origins).map(origin -> "\"http://127.0.0.1:" + origin.port() + '"')
                .collect(Collectors.joining(", "));
        return new ProxyBed(RunningGateway.start("""
                sluice.server.worker-threads = 1
                sluice.upstreams.origin.endpoints = [%s]
                sluice.routes.all { path = "/**", handler = proxy, upstream = origin }
                """.formatted(endpoints) + settings), origins);
    }

    public RunningGateway gateway() {
        return gateway;
    }

    public RawClient connect() throws IOException {
        return gateway.connect();
    }

    /** Sends a request on a new connection, and reads the answer. */
    public RawClient.Answer exchange(String request) throws IOException {
        try (RawClient client = connect().send(request)) {
            return client.read();
        }
    }

    /** Sends GET with further header lines. */
    public RawClient.Answer get(String target, String... lines) throws IOException {
        return exchange(request("GET", target, lines));
    }

    /** Returns a request without a body. */
    public static String request(String method, String target, String... lines) {
        return method + ' ' + target + " HTTP/1.1\r\nHost: shop.example\r\n"
                + Arrays.stream(lines).map(line -> line + "\r\n").collect(Collectors.joining()) + "\r\n";
    }

    public Upstream upstream() {
        return gateway.upstream("origin");
    }

    /** Returns the first server. */
    public ByteOrigin origin() {
        return origins[0];
    }

    /** Returns the first endpoint. */
    public EndpointStats endpoint() {
        return upstream().endpoints().getFirst();
    }

    @Override
    public void close() throws IOException {
        gateway.close();
        for (ByteOrigin origin : origins) {
            origin.close();
        }
    }
}
