package io.sluice.gateway;

import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.GatewayConfig;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.ExcessConnectionRejector;
import io.sluice.gateway.loop.LoopTicks;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.net.Acceptors;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.peer.ProxyHeaderDecoder;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.TlsException;
import io.sluice.gateway.tls.TlsObserver;
import io.sluice.gateway.tls.TlsProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ports of the gateway: for clients, for clients that speak TLS, and for operators. */
final class Listeners implements AutoCloseable {
    private static final long RELEASE_MILLIS = 500;

    private final Base base;
    private final Listener admin;
    private final Listener server;
    private final Listener tls;
    private final ConnectionWatches watches;
    private final ConnectionWatches adminWatches = new ConnectionWatches(LoopTicks.OWN_TIMERS);
    private final Connections adminConnections = new Connections(Duration.ZERO);
    private final TlsObserver tlsObserver;
    /** Null until the ports are open. */
    private @Nullable Served served;
    /** The state that the next commit applies; null if there is none. */
    private @Nullable Served prepared;

    /**
     * The state of the ports.
     *
     * @param certificates those of the port for TLS; null if it is closed
     */
    private record Served(GatewayConfig config, @Nullable Certificates certificates) {
    }

    /**
     * The parts that all listeners share.
     *
     * @param started the configuration of the start, for settings that a reload does not change
     * @param adminLoop the event loop of the admin port
     */
    record Base(Transport transport, ServerConfig started, EventLoopGroup boss, EventLoopGroup workers,
                EventLoopGroup adminLoop, Connections connections, ConnectionLimits limits, LoopTicks ticks,
                Meters meters, RequestObserver observer, Supplier<Site> site) {
    }

    /** Listeners without open ports. */
    Listeners(Base base) {
        this.base = base;
        watches = new ConnectionWatches(base.ticks);
        tlsObserver = base.meters.tls();
        admin = new Listener((host, port, initializer) -> open("admin", host, port,
                Acceptors.plain(base.adminLoop, base.adminLoop), initializer));
        server = new Listener((host, port, initializer) -> openToClients("server", host, port, initializer));
        tls = new Listener((host, port, initializer) -> openToClients("tls", host, port, initializer));
    }

    private OpenPort openToClients(String key, String host, int port, ChannelHandler initializer)
            throws StartException {
        var gate = new ExcessConnectionRejector(base.limits, base.started.proxyProtocol());
        return open(key, host, port,
                new Acceptors(base.boss, base.workers, gate, base.started.reusePort()), initializer);
    }

    private OpenPort open(String key, String host, int port, Acceptors acceptors, ChannelHandler initializer)
            throws StartException {
        try {
            return bind(new InetSocketAddress(host, port), acceptors, initializer);
        } catch (Exception e) {
            throw new StartException("sluice.%s.port: %s:%d: %s (expected: a free port of this machine)"
                    .formatted(key, host, port, e instanceof UnresolvedAddressException ? "no such host"
                            : e.getMessage()), e);
        }
    }

    /** Binds a port. A port that was given up is only free when its event loop has selected again. */
    private OpenPort bind(InetSocketAddress address, Acceptors acceptors, ChannelHandler initializer)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RELEASE_MILLIS);
        while (true) {
            try {
                return base.transport.bind(base.started, address, acceptors, initializer);
            } catch (IOException e) {
                if (System.nanoTime() - end > 0
                        || Stream.of(admin, server, tls).noneMatch(Listener::hasGivenUp)) {
                    throw e;
                }
                Thread.sleep(1); // nothing tells when the operating system has released it
            }
        }
    }

    /** Opens the ports at the start. Blocks. */
    void open(GatewayConfig config) throws StartException, TlsException {
        prepare(config);
        commit();
    }

    /**
     * Opens the ports whose address the configuration changes, and reads certificates. Ports that are already
     * open remain so until {@link #commit}, except where their numbers are needed. Blocks.
     *
     * @throws StartException if a port cannot be opened; nothing has changed then
     * @throws TlsException if the certificates cannot be used; nothing has changed then
     */
    void prepare(GatewayConfig config) throws StartException, TlsException {
        Certificates used = config.tls().enabled() ? certificates(config) : null;
        prepared = new Served(config, used);
        Set<Integer> needed = Set.copyOf(List.of(config.admin().port(), config.server().port(),
                used == null ? 0 : config.tls().port()));
        try {
            admin.giveUp(config.admin().host(), config.admin().port(), needed);
            server.giveUp(config.server().host(), config.server().port(), needed);
            tls.giveUp(config.tls().host(), used == null ? 0 : config.tls().port(), needed);
            prepare(admin, adminProtocol(config), config.admin().host(), config.admin().port());
            prepare(server, protocol(config), config.server().host(), config.server().port());
            if (used != null) {
                prepare(tls, tlsProtocol(config, used), config.tls().host(), config.tls().port());
            } else {
                tls.prepareToClose();
            }
        } catch (Throwable e) {
            rollBack(e);
            throw e;
        }
    }

    private static void prepare(Listener listener, ChannelHandler protocol, String host, int port)
            throws StartException {
        if (listener.open() == null) {
            listener.setProtocol(protocol);
        }
        listener.prepare(host, port);
    }

    /** Returns the certificates in use, or new ones if keys of {@code tls} change. */
    private Certificates certificates(GatewayConfig config) throws TlsException {
        if (served != null && served.certificates != null && config.tls().equals(served.config.tls())) {
            return served.certificates;
        }
        var names = List.copyOf(http(config, config.tls().hsts()).byName().keySet());
        return Certificates.load(config.tls(), names, tlsObserver);
    }

    private static @Nullable Certificates certificatesOf(@Nullable Served state) {
        return state == null ? null : state.certificates;
    }

    /**
     * Takes back the prepared changes, if there are any: all of them, even if a former port cannot be opened
     * again.
     *
     * @throws StartException if one cannot
     */
    void rollBack(Throwable cause) throws StartException {
        Certificates loaded = certificatesOf(prepared);
        if (loaded != null && loaded != certificatesOf(served)) {
            loaded.close();
        }
        prepared = null;
        StartException failure = null;
        List<Listener> all = List.of(admin, server, tls);
        all.forEach(Listener::discard);
        for (Listener listener : all) {
            try {
                listener.reopen();
            } catch (StartException e) {
                cause.addSuppressed(e);
                failure = e;
            }
        }
        if (failure != null) {
            throw new StartException(failure.getMessage(), cause);
        }
    }

    /**
     * Applies the prepared changes to new connections.
     *
     * @return the former certificates, to be closed when the last handshake with them has ended; null if they
     *     stay in use
     */
    @Nullable AutoCloseable commit() {
        Served next = Objects.requireNonNull(prepared, "a prepared change");
        Certificates before = certificatesOf(served);
        Certificates used = next.certificates;
        boolean isReplaced = before != used;
        if (isReplaced && before != null) {
            before.stopReading();
        }
        if (isReplaced && used != null) {
            used.begin();
        } else if (isReplaced) {
            tlsObserver.noneInUse();
        }
        served = next;
        prepared = null;
        admin.setProtocol(adminProtocol(next.config));
        server.setProtocol(protocol(next.config));
        if (used != null) {
            tls.setProtocol(tlsProtocol(next.config, used));
        }
        Stream.of(admin, server, tls).forEach(Listener::commit);
        return isReplaced ? before : null;
    }

    private ChannelHandler tlsProtocol(GatewayConfig config, Certificates used) {
        return initializer(config, new TlsProtocol(config.tls(), used, base.connections,
                http(config, config.tls().hsts()), tlsObserver));
    }

    private ChannelHandler protocol(GatewayConfig config) {
        return initializer(config, http(config, Optional.empty()).detected());
    }

    private HttpProtocols http(GatewayConfig config, Optional<Duration> hsts) {
        Supplier<RoutingTable> routes = () -> base.site.get().routes();
        return new HttpProtocols(config.server(), config.http2(), routes, base.connections, base.observer,
                hsts, base.meters.clock());
    }

    private ChannelHandler initializer(GatewayConfig config, Protocol protocol) {
        var initializer = new ConnectionInitializer(config.server().timeouts(), base.connections, protocol,
                watches);
        return base.started.proxyProtocol()
                ? ProxyHeaderDecoder.before(initializer, config.server(), base.limits) : initializer;
    }

    private ChannelHandler adminProtocol(GatewayConfig config) {
        Supplier<RoutingTable> adminRoutes = () -> base.site.get().adminRoutes();
        return new ConnectionInitializer(config.server().timeouts(), adminConnections,
                new HttpProtocols(config.server(), null, adminRoutes, adminConnections, _ -> { },
                        Optional.empty(), base.meters.clock()).detected(), adminWatches);
    }

    /** Returns the open ports for clients. */
    List<OpenPort> toClients() {
        return Stream.of(server.open(), tls.open()).filter(Objects::nonNull).toList();
    }

    Listener admin() {
        return admin;
    }

    Listener server() {
        return server;
    }

    Listener tls() {
        return tls;
    }

    /** Opens a port on 127.0.0.1 for the gateway's own warm-up requests. */
    OpenPort openToItself(ChannelHandler initializer) throws StartException {
        return open("warm-up", "127.0.0.1", 0, Acceptors.plain(base.boss, base.workers), initializer);
    }

    /** Closes the ports. Open connections remain. */
    @Override
    public void close() {
        Stream.of(server, tls, admin).forEach(Listener::close);
        Certificates used = certificatesOf(served);
        if (used != null) {
            used.close();
        }
    }
}
