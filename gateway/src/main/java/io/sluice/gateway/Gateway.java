package io.sluice.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.gateway.admin.AdminRoutes;
import io.sluice.gateway.admin.PoolReport;
import io.sluice.gateway.lifecycle.Drain;
import io.sluice.gateway.lifecycle.Health;
import io.sluice.gateway.logging.AccessLog;
import io.sluice.gateway.metrics.EventLoopMonitor;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.PoolMeters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.pipeline.Connections;
import io.sluice.gateway.pipeline.GatewayChannelInitializer;
import io.sluice.gateway.pipeline.RequestListener;
import io.sluice.gateway.pipeline.Transport;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.Router;
import io.sluice.offload.Database;
import io.sluice.offload.Offload;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final GatewayConfig config;
    /** What has started, the last first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Meters meters = started(new Meters());
    private final Map<String, Offload> pools = new LinkedHashMap<>();
    private final Map<String, PoolMeters> poolMeters = new LinkedHashMap<>();
    private final Map<String, Database> databases = new LinkedHashMap<>();
    private final Health health = new Health(databases);
    private final Connections connections;
    private EventLoopGroup workers;
    private volatile Channel server;
    private Channel admin;

    private Gateway(GatewayConfig config) {
        this.config = config;
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
            throw e instanceof StartException start ? start : new StartException(e.toString(), e);
        }
    }

    private void open() throws Exception {
        EventLoopGroup adminLoop = group("admin", 1);
        EventLoopGroup boss = group("boss", config.server().bossThreads());
        workers = group("worker", Transport.workerThreads(config.server()));
        meters.bind(workers, connections);
        started(new EventLoopMonitor(workers, config.server().blockedLoopWarning(), meters));
        openPools();
        List<Route> routes = new Routes(pools, databases, meters).of(config);

        admin = bind("admin", config.admin().host(), config.admin().port(), adminLoop, adminLoop,
                new GatewayChannelInitializer(config.server(),
                        new AdminRoutes(meters, health, routes, new PoolReport(pools, poolMeters),
                                this::port).router(),
                        new Connections(Duration.ZERO), _ -> { }, null));
        server = bind("server", config.server().host(), config.server().port(), boss, workers,
                new GatewayChannelInitializer(config.server(), new Router(routes), connections, listener(),
                        pinned()));
        health.enter(Health.State.SERVING);
    }

    private RequestListener listener() {
        var requestMeters = new RequestMeters(meters);
        var accessLog = new AccessLog(config.log());
        return exchange -> {
            requestMeters.ended(exchange);
            accessLog.ended(exchange);
        };
    }

    /** Where handlers run instead of on the event loops; null in a gateway that is meant to work. */
    private EventExecutorGroup pinned() {
        int threads = config.server().pinnedThreads();
        if (threads == 0) {
            return null;
        }
        log.warn("sluice.server.pinned-threads = {}: one slow request DELAYS every connection that is pinned "
                + "to its thread; this is for experiments only", threads);
        return group(new DefaultEventExecutorGroup(threads, new DefaultThreadFactory("pinned", true)));
    }

    private EventLoopGroup group(String name, int threads) {
        return group(Transport.group(name, threads));
    }

    private <T extends EventExecutorGroup> T group(T group) {
        started(() -> group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly());
        return group;
    }

    private Channel bind(String key, String host, int port, EventLoopGroup boss, EventLoopGroup workers,
                         ChannelHandler initializer) throws StartException {
        try {
            return Transport.bind(config.server(), new InetSocketAddress(host, port), boss, workers,
                    initializer);
        } catch (Exception e) {
            throw new StartException("sluice.%s: %s:%d: %s (expected: an address of this machine, free port)"
                    .formatted(key, host, port, reason(e)), e);
        }
    }

    private static String reason(Exception e) {
        return e instanceof UnresolvedAddressException ? "no such host" : e.getMessage();
    }

    /** Databases stop after their pools, whose work needs them to its end. */
    private void openPools() throws StartException {
        started(() -> databases.values().forEach(Database::close));
        config.offload().pools().forEach((name, pool) -> {
            poolMeters.put(name, meters.pool(name));
            pools.put(name, started(Offload.start(name, pool, poolMeters.get(name))));
            poolMeters.get(name).bind(pools.get(name));
        });
        for (Map.Entry<String, DatabaseConfig> entry : config.databases().entrySet()) {
            requireDriver(entry.getKey(), entry.getValue().url());
            databases.put(entry.getKey(), new Database(entry.getKey(), entry.getValue(),
                    pools.get(entry.getValue().pool()), meters.registry()));
        }
        for (Map.Entry<String, DatabaseConfig> entry : config.databases().entrySet()) {
            for (String script : entry.getValue().initScript().orElse(Set.of())) {
                run(script, entry.getKey());
            }
        }
    }

    /** Without the URL, in which there may be a password. */
    private static void requireDriver(String database, String url) throws StartException {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new StartException(("sluice.databases.%s.url: no driver for it (expected: "
                    + "jdbc:postgresql:…, jdbc:h2:…, or another whose driver is on the class path)")
                    .formatted(database), e);
        }
    }

    private void run(String script, String database) throws StartException {
        try {
            databases.get(database).runScript(InitScript.read(script));
        } catch (IOException | SQLException e) {
            throw new StartException("sluice.databases.%s.init-script: %s: %s"
                    .formatted(database, script, e.getMessage()), e);
        }
    }

    private <T extends AutoCloseable> T started(T part) {
        started.push(part);
        return part;
    }

    /** The port that clients connect to; until it is open, the configured one. */
    public int port() {
        return server == null ? config.server().port()
                : ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The port that operators connect to. */
    public int adminPort() {
        return ((InetSocketAddress) admin.localAddress()).getPort();
    }

    /** Blocks until the listener has been closed. */
    public void awaitClose() {
        server.closeFuture().awaitUninterruptibly();
    }

    /** Drains, then stops everything; blocks until that is done. Once it is, closing does nothing. */
    @Override
    public synchronized void close() {
        if (started.isEmpty()) {
            return;
        }
        try {
            new Drain(config.lifecycle(), health).run(server, workers, connections);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeStarted();
    }

    private void closeStarted() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                log.warn("something did not stop as it should", e);
            }
        }
    }
}
