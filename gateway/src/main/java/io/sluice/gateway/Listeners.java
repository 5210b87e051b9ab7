package io.sluice.gateway;

import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.GatewayConfig;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.Listener.Address;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.ExcessConnectionRejector;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.net.Acceptors;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.TlsException;
import io.sluice.gateway.tls.TlsObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ports of the gateway: for clients, for clients that speak TLS, and for operators. */
final class Listeners implements AutoCloseable {
    private static final long RELEASE_MILLIS = 500;

    private final Shared shared;
    private final Listener admin;
    private final Listener server;
    private final Listener tls;
    private final List<Listener> all;
    private final TlsObserver tlsObserver;
    private final ListenerProtocols protocols;
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
    record Shared(Transport transport, ServerConfig started, EventLoopGroup boss, EventLoopGroup workers,
                  EventLoopGroup adminLoop, Connections connections, ConnectionLimits limits,
                  PeriodicSteps steps, Meters meters, RequestObserver observer, Supplier<Site> site) {
    }

    /** Listeners without open ports. */
    Listeners(Shared shared) {
        this.shared = shared;
        tlsObserver = shared.meters.tls();
        protocols = new ListenerProtocols(shared, tlsObserver);
        Listener.Opener opener = (listener, address) ->
                open(listener.section(), address, listener.acceptors(), listener);
        var toClients = new Acceptors(shared.boss, shared.workers,
                new ExcessConnectionRejector(shared.limits, shared.started.proxyProtocol()),
                shared.started.reusePort());
        admin = new Listener("admin", Acceptors.plain(shared.adminLoop, shared.adminLoop), opener);
        server = new Listener("server", toClients, opener);
        tls = new Listener("tls", toClients, opener);
        all = List.of(admin, server, tls);
    }

    private OpenPort open(String section, Address address, Acceptors acceptors, ChannelHandler initializer)
            throws StartException {
        try {
            return bind(address.resolve(), acceptors, initializer);
        } catch (Exception e) {
            throw cannotOpen(section, address, e);
        }
    }

    private static StartException cannotOpen(String section, Address address, Exception cause) {
        return new StartException("sluice.%s.port: %s:%d: %s (expected: a free port of this machine)"
                .formatted(section, address.host(), address.port(),
                        address.resolve().isUnresolved() ? "no such host" : cause.getMessage()), cause);
    }

    /** Binds a port. A port that was given up is only free when its event loop has selected again. */
    private OpenPort bind(InetSocketAddress address, Acceptors acceptors, ChannelHandler initializer)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RELEASE_MILLIS);
        while (true) {
            try {
                return shared.transport.bind(shared.started, address, acceptors, initializer);
            } catch (IOException e) {
                if (System.nanoTime() - end > 0 || all.stream().noneMatch(Listener::hasGivenUp)) {
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

    /** Returns the configured addresses of the ports to be opened. */
    private Map<Listener, Address> addresses(GatewayConfig config) {
        var addresses = new LinkedHashMap<Listener, Address>();
        addresses.put(admin, new Address(config.admin().host(), config.admin().port()));
        addresses.put(server, new Address(config.server().host(), config.server().port()));
        if (config.tls().enabled()) {
            addresses.put(tls, new Address(config.tls().host(), config.tls().port()));
        }
        return addresses;
    }

    /**
     * Checks that the ports can be opened, as far as the present ones do not exclude this. Opens and closes
     * none. Blocks.
     *
     * @throws StartException if a port cannot be opened
     */
    void check(GatewayConfig config) throws StartException {
        for (Map.Entry<Listener, Address> each : addresses(config).entrySet()) {
            Listener listener = each.getKey();
            Address address = each.getValue();
            try {
                if (all.stream().noneMatch(present -> present.excludes(address))) {
                    Transport.check(address.resolve(), listener.acceptors());
                }
            } catch (IOException e) {
                throw cannotOpen(listener.section(), address, e);
            }
        }
    }

    /**
     * Opens the ports whose address the configuration changes, and reads certificates. Ports that are already
     * open remain so until {@link #commit}, except where they exclude a next one. Blocks.
     *
     * @throws StartException if a port cannot be opened; nothing has changed then
     * @throws TlsException if the certificates cannot be used; nothing has changed then
     */
    void prepare(GatewayConfig config) throws StartException, TlsException {
        Certificates used = config.tls().enabled() ? certificates(config) : null;
        prepared = new Served(config, used);
        Map<Listener, Address> next = addresses(config);
        try {
            all.forEach(listener -> listener.giveUp(next.get(listener), next.values()));
            initializers(prepared).forEach((listener, initializer) -> {
                if (listener.open() == null) {
                    listener.setProtocol(initializer);
                }
            });
            for (Listener listener : all) {
                listener.prepare(next.get(listener));
            }
        } catch (Throwable e) {
            rollBack(e);
            throw e;
        }
    }

    /** Returns the certificates in use, or new ones if keys of {@code tls} change. */
    private Certificates certificates(GatewayConfig config) throws TlsException {
        if (served != null && served.certificates != null && config.tls().equals(served.config.tls())) {
            return served.certificates;
        }
        return Certificates.load(config.tls(), protocols.names(config), tlsObserver);
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
        var closed = new ArrayList<String>();
        all.forEach(Listener::discard);
        for (Listener listener : all) {
            try {
                listener.reopen();
            } catch (StartException e) {
                cause.addSuppressed(e);
                closed.add(e.getMessage());
            }
        }
        if (!closed.isEmpty()) {
            throw new StartException("%s; and the former port is closed until the next reload: %s"
                    .formatted(cause.getMessage(), String.join("; ", closed)), cause);
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
        initializers(next).forEach(Listener::setProtocol);
        all.forEach(Listener::commit);
        return isReplaced ? before : null;
    }

    /** Returns the handlers that initialise new connections. */
    private Map<Listener, ChannelHandler> initializers(Served state) {
        var initializers = new HashMap<Listener, ChannelHandler>();
        initializers.put(admin, protocols.admin(state.config));
        initializers.put(server, protocols.plain(state.config));
        if (state.certificates != null) {
            initializers.put(tls, protocols.tls(state.config, state.certificates));
        }
        return initializers;
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
        return open("warm-up", new Address("127.0.0.1", 0), Acceptors.plain(shared.boss, shared.workers),
                initializer);
    }

    /** Closes the ports. Open connections remain. */
    @Override
    public void close() {
        all.forEach(Listener::close);
        Certificates used = certificatesOf(served);
        if (used != null) {
            used.close();
        }
    }
}
