package io.sluice.gateway;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.GatewayConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.TransportKind;
import io.sluice.gateway.admin.AdminRoutes;
import io.sluice.gateway.admin.PoolReport;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.lifecycle.Drain;
import io.sluice.gateway.lifecycle.Health;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.ExcessConnectionRejector;
import io.sluice.gateway.limits.MemoryWatch;
import io.sluice.gateway.limits.OpenFiles;
import io.sluice.gateway.logging.AccessLog;
import io.sluice.gateway.metrics.EventLoopMonitor;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.LoopTicks;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.peer.ProxyHeader;
import io.sluice.gateway.routing.Router;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.TlsException;
import io.sluice.gateway.tls.TlsProtocol;
import io.sluice.gateway.warmup.Practice;
import io.sluice.gateway.warmup.WarmUp;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: what there is, in the order in which it starts. It stops in the reverse order,
 * after it has been drained.
 */
final class Gateway implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    /** A connection to a database, or the pipes of a program. */
    private static final int FILES_OF_A_WORKER = 4;

    private final GatewayConfig config;
    /** What has started, the last first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Meters meters = started(new Meters());
    private final Backends backends;
    private final Health health;
    private final Connections connections;
    private Transport transport;
    private EventLoopGroup workers;
    private EventLoopMonitor ticks;
    private volatile OpenPort server;
    private OpenPort admin;
    /** Null where it is not wanted. */
    private OpenPort tls;

    private Gateway(GatewayConfig config) {
        this.config = config;
        backends = new Backends(config, meters);
        health = new Health(backends.databases());
        connections = new Connections(config.lifecycle().idleGrace());
    }

    /**
     * Starts a gateway; returns when it serves.
     *
     * @throws StartException where it cannot, with what is in the way
     */
    static Gateway start(GatewayConfig config) throws StartException {
        var gateway = new Gateway(config);
        try {
            gateway.open();
            return gateway;
        } catch (Exception e) {
            gateway.closeStarted();
            throw e instanceof StartException start ? start
                    : new StartException(e instanceof TlsException ? e.getMessage() : e.toString(), e);
        }
    }

    private void open() throws Exception {
        if (config.tls().enabled()) {
            Certificates.check(config.tls()); // before a database is touched
        }
        transport = transport();
        EventLoopGroup adminLoop = group("admin", 1);
        EventLoopGroup boss = group("boss", config.server().bossThreads());
        workers = group("worker", Transport.workerThreads(config.server()));
        meters.bind(workers, connections);
        ticks = started(new EventLoopMonitor(workers, config.server().blockedLoopWarning(), meters));
        started(backends).start();
        RequestObserver listener = listener();
        var routes = new Routes(backends, meters, listener);
        Router router = routes.of(config);

        Router operators = new AdminRoutes(meters, health, routes.all(), new PoolReport(backends.pools(),
                backends.poolMeters()), this::port,
                config.admin().allowedHosts().orElse(Set.of())).router();
        var adminConnections = new Connections(Duration.ZERO);
        admin = bind("admin", config.admin().host(), config.admin().port(), false, adminLoop, adminLoop,
                new ChannelInboundHandlerAdapter(), initializer(adminConnections, new HttpProtocols(
                        config.server(), null, operators, adminConnections, _ -> { }, Optional.empty(),
                        meters.clock()).detected(), LoopTicks.OWN_TIMERS));
        ConnectionLimits limits = limits();
        server = bind("server", config.server().host(), config.server().port(), boss, limits,
                new HttpProtocols(config.server(), config.http2(), router, connections, listener,
                        Optional.empty(), meters.clock()).detected());
        if (config.tls().enabled()) {
            var http = new HttpProtocols(config.server(), config.http2(), router, connections, listener,
                    config.tls().hsts(), meters.clock());
            tls = bind("tls", config.tls().host(), config.tls().port(), boss, limits,
                    started(new TlsProtocol(config.tls(), connections, http, meters.tls())));
        }
        started(new MemoryWatch(boss.next(), workers, connections::memory));
        backends.connect(); // in the meantime what needs no database is answered
        warmUp(boss);
        if (limits.limit() < config.server().maxConnections()) {
            log.info("at most {} connections, not {} (server.max-connections): this process may open {} "
                    + "files (ulimit -n)", limits.limit(), config.server().maxConnections(),
                    OpenFiles.limit());
        }
    }

    private void warmUp(EventLoopGroup boss) throws StartException {
        Duration limit = config.lifecycle().warmUp();
        if (limit.isZero()) {
            health.enter(Health.State.SERVING);
            return;
        }
        var practice = new Practice(backends.databases());
        var among = new Connections(Duration.ZERO);
        OpenPort door;
        try {
            door = bind("warm-up", "127.0.0.1", 0, false, boss, workers, new ChannelInboundHandlerAdapter(),
                    initializer(among, new HttpProtocols(config.server(), config.http2(), practice.router(),
                            among, practice.listener(), Optional.empty(), meters.clock()).detected(), ticks));
        } catch (StartException e) {
            practice.close();
            throw e;
        }
        started(WarmUp.start(limit, practice, door, () -> connections.count() > 0,
                () -> health.enter(Health.State.SERVING)));
    }

    private ConnectionLimits limits() {
        int workers = config.offload().pools().values().stream().mapToInt(PoolConfig::workers).sum();
        var limits = new ConnectionLimits(config.server(), OpenFiles.roomForConnections(
                workers * FILES_OF_A_WORKER + backends.openFilesOfAnswers()));
        meters.bind(limits);
        return limits;
    }

    private Transport transport() throws StartException {
        TransportKind kind = config.server().transport();
        try {
            return Transport.of(kind);
        } catch (UnsupportedOperationException e) {
            throw new StartException(
                    "sluice.server.transport: %s: %s (expected: one that loads here, or auto)"
                    .formatted(kind, e.getMessage()), e);
        }
    }

    private RequestObserver listener() {
        var requestMeters = new RequestMeters(meters);
        var accessLog = new AccessLog(config.log());
        return exchange -> {
            requestMeters.ended(exchange);
            accessLog.ended(exchange);
        };
    }

    private EventLoopGroup group(String name, int threads) {
        EventLoopGroup group = transport.group(name, threads);
        started(() -> group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly());
        return group;
    }

    /** Opens a port for clients. */
    private OpenPort bind(String key, String host, int port, EventLoopGroup boss, ConnectionLimits limits,
                          Protocol protocol) throws StartException {
        boolean proxied = config.server().proxyProtocol();
        ChannelHandler initializer = initializer(connections, protocol, ticks);
        return bind(key, host, port, config.server().reusePort(), boss, workers,
                new ExcessConnectionRejector(limits, proxied),
                proxied ? ProxyHeader.before(initializer, config.server(), limits) : initializer);
    }

    private ChannelHandler initializer(Connections open, Protocol protocol, LoopTicks ticks) {
        return new ConnectionInitializer(config.server().timeouts(), open, protocol, ticks);
    }

    private OpenPort bind(String key, String host, int port, boolean shared, EventLoopGroup boss,
                          EventLoopGroup workers, ChannelHandler gate, ChannelHandler initializer)
            throws StartException {
        try {
            return transport.bind(config.server(), new InetSocketAddress(host, port), shared, boss, workers,
                    gate, initializer);
        } catch (Exception e) {
            throw new StartException("sluice.%s: %s:%d: %s (expected: an address of this machine, free port)"
                    .formatted(key, host, port, e instanceof UnresolvedAddressException ? "no such host"
                            : e.getMessage()), e);
        }
    }

    private <T extends AutoCloseable> T started(T part) {
        started.push(part);
        return part;
    }

    /** The port that clients connect to; until it is open, the configured one. */
    public int port() {
        return server == null ? config.server().port() : server.port();
    }

    /** The port that clients connect to who speak TLS, if there is one. */
    public OptionalInt tlsPort() {
        return tls == null ? OptionalInt.empty() : OptionalInt.of(tls.port());
    }

    /** The port that operators connect to. */
    public int adminPort() {
        return admin.port();
    }

    EventLoopGroup workers() {
        return workers;
    }

    /** Blocks until it is warm. */
    public void awaitReady() {
        health.awaitServing();
    }

    /** Blocks until the listener has been closed. */
    public void awaitClose() {
        server.awaitClose();
    }

    /** Drains, then stops everything; blocks until that is done. Once it is, closing does nothing. */
    @Override
    public synchronized void close() {
        if (started.isEmpty()) {
            return;
        }
        try {
            new Drain(config.lifecycle(), health).run(tls == null ? List.of(server) : List.of(server, tls),
                    workers, connections);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeStarted();
        }
    }

    private void closeStarted() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Throwable e) { // the others are closed all the same
                log.warn("something did not stop as it should", e);
            }
        }
    }
}
