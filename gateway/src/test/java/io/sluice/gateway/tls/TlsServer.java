package io.sluice.gateway.tls;

import io.sluice.config.TlsConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.routing.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A server that speaks TLS, with the handlers of a test and the events of its meter. */
public final class TlsServer implements AutoCloseable {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final HandlerServer server;
    private Certificates certificates;

    /** Starts a server with this configuration. */
    public TlsServer(TlsConfig config, Route... routes) {
        this(config, outermost -> HandlerServer.within(outermost, routes));
    }

    private TlsServer(TlsConfig config,
                      Function<BiFunction<Connections, HttpProtocols, Protocol>, HandlerServer> start) {
        server = start.apply((connections, http) -> {
            try {
                var meter = new Meter();
                certificates = Certificates.load(config, List.copyOf(http.byName().keySet()), meter);
                certificates.begin();
                return new TlsProtocol(config, certificates, connections, http, meter);
            } catch (TlsException e) {
                throw new IllegalArgumentException(e);
            }
        });
    }

    /** Starts a server with a clock that only {@link HandlerServer#pass} advances. */
    public static TlsServer withClock(TlsConfig config, Route... routes) {
        return new TlsServer(config, outermost -> HandlerServer.withClock(Map.of(), outermost, routes));
    }

    /** Returns the configuration of HOCON below {@code sluice.tls}. */
    public static TlsConfig config(Path folder, String hocon) {
        try {
            Path file = Files.createTempFile(folder, "tls", ".conf");
            Files.writeString(file, "sluice.tls { " + hocon + " }");
            return new ConfigLoader(Map.of()).load(file).config().tls();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the server without its TLS. */
    public HandlerServer http() {
        return server;
    }

    public int port() {
        return server.port();
    }

    /**
     * Returns the next event of the meter, or null after 30 s. Skips closed connections, which may be those
     * of an earlier test.
     */
    String told() throws InterruptedException {
        String next = told.poll(30, TimeUnit.SECONDS);
        return HandshakeFailure.CLOSED.name().equals(next) ? told() : next;
    }

    /** Returns whether the next event is a closed connection. */
    boolean isToldOfClose() throws InterruptedException {
        return HandshakeFailure.CLOSED.name().equals(told.poll(30, TimeUnit.SECONDS));
    }

    /** Waits for the event that new files are in use. */
    void awaitUse() throws InterruptedException {
        for (String next = told(); !"in use".equals(next); next = told()) {
            if (next == null) {
                throw new AssertionError("no new files in use");
            }
        }
    }

    /** Discards all events so far. */
    void forget() {
        told.clear();
    }

    /** Returns the events that have not been taken. */
    List<String> rest() {
        return List.copyOf(told);
    }

    @Override
    public void close() {
        server.close();
        certificates.close();
    }

    private final class Meter implements TlsObserver {

        @Override
        public void handshake(String version, long nanos) {
            told.add(nanos > 0 && nanos < 10_000_000_000L ? version : version + " in " + nanos);
        }

        @Override
        public void failed(HandshakeFailure reason) {
            told.add(reason.name());
        }

        @Override
        public void inUse(Instant expiry) {
            told.add("in use");
        }

        @Override
        public void refused() {
            told.add("refused");
        }

        @Override
        public void noneInUse() {
            told.add("none in use");
        }
    }
}
