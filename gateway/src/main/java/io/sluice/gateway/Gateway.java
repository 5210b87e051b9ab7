package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.GatewayConfig;
import io.sluice.config.TransportKind;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.read.ConfigSource;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.admin.AdminRoutes;
import io.sluice.gateway.check.BackgroundCheck;
import io.sluice.gateway.check.MachineCheck;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.lifecycle.Drain;
import io.sluice.gateway.lifecycle.Health;
import io.sluice.gateway.lifecycle.StartedParts;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.KeptMemoryWatch;
import io.sluice.gateway.limits.MemoryWatch;
import io.sluice.gateway.limits.OpenFiles;
import io.sluice.gateway.logging.AccessLog;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.metrics.EventLoopMonitor;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.tls.TlsException;
import io.sluice.handlers.upstream.UpstreamNetwork;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway. Its parts start in the order of {@code open}; after a drain they stop in the reverse
 * order.
 */
final class Gateway implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);

    private final LoadedConfig loaded;
    private final PluginJars plugins;
    /** The configuration that the process started with. */
    private final GatewayConfig config;
    private final StartedParts parts = new StartedParts();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Meters meters = started(new Meters());
    private final Health health = new Health(() -> current().resources().databases());
    private final Connections connections;
    private final ConnectionLimits limits;
    private Transport transport;
    private EventLoopGroup workers;
    private PeriodicSteps steps;
    private Sites sites;
    private Listeners listeners;
    private volatile @Nullable Reload reload;
    private volatile boolean stopping;

    @SuppressWarnings("NullAway.Init") // open() sets the parts, before start() returns the gateway
    private Gateway(LoadedConfig loaded, PluginJars plugins) {
        this.loaded = loaded;
        this.plugins = plugins;
        config = loaded.config();
        connections = new Connections(config.lifecycle().idleGrace());
        limits = new ConnectionLimits(config.server());
    }

    /**
     * Starts a gateway. Blocks until its listeners are open and its databases are connected.
     *
     * @param loaded the configuration to start with
     * @param source read again at each reload
     * @param plugins the plug-ins that both configurations may name
     * @param serving gets the gateway when its listeners are open; from then on it can be closed
     * @throws StartException if the gateway cannot start, with the cause for an operator
     * @throws ConfigException if this machine does not have what the configuration names
     */
    static Gateway start(LoadedConfig loaded, ConfigSource source, PluginJars plugins,
                         Consumer<Gateway> serving) throws StartException {
        var gateway = new Gateway(loaded, plugins);
        try {
            gateway.open(source, serving);
            return gateway;
        } catch (StartException | ConfigException e) {
            gateway.closeParts();
            throw e;
        } catch (Exception e) {
            gateway.closeParts();
            throw new StartException(e instanceof TlsException ? e.getMessage() : e.toString(), e);
        }
    }

    private void open(ConfigSource source, Consumer<Gateway> serving) throws Exception {
        MachineCheck.check(loaded);
        transport = transport();
        EventLoopGroup adminLoop = group("admin", 1);
        EventLoopGroup boss = group("boss", config.server().bossThreads());
        workers = group("worker", Transport.workerThreads(config.server()));
        meters.bind(workers, connections);
        steps = started(EventLoopMonitor.start(workers, config.server().blockedLoopWarning(), meters));
        var requestMeters = new RequestMeters(meters);
        RequestObserver observer = observer(requestMeters);
        var network = new UpstreamNetwork(transport.client(config.server(), limits),
                group("upstreams", 1).next(), transport.channels(), Ticker.systemTicker(), limits);
        sites = started(new Sites(loaded, plugins, meters, requestMeters, observer, workers, network,
                this::adminRoutes));
        sites.start();
        Site first = sites.build(loaded);
        sites.use(first, Duration.ZERO);
        long freeFiles = OpenFiles.free();
        updateLimits(config, freeFiles);
        bindMeters();
        listeners = started(new Listeners(new Listeners.Shared(transport, config.server(), boss, workers,
                adminLoop, connections, limits, steps, meters, observer, this::current)));
        listeners.open(config);
        started(new MemoryWatch(boss.next(), workers, connections::memoryShort, connections::memoryBack));
        started(new KeptMemoryWatch(boss.next()));
        serving.accept(this);
        first.resources().connect(); // routes without a database are already served
        StartException.ifStopping(stopping);
        first.resources().openDatabases();
        StartException.ifStopping(stopping);
        first.resources().startSources();
        BackgroundCheck check = started(new BackgroundCheck());
        check.start(loaded, first.resources().databases());
        reload = started(new Reload(source, sites, listeners, meters.reloads(), next -> {
            updateLimits(next, freeFiles);
            check.start(current().loaded(), current().resources().databases());
        }));
        warmUp(network);
        warnOfLimit();
    }

    private void bindMeters() {
        meters.bind(limits);
        meters.bind(health);
        meters.bind(() -> current().resources().upstreams().values());
    }

    private void warnOfLimit() {
        if (limits.limit() < config.server().maxConnections()) {
            log.info("at most {} connections, not {} (server.max-connections): this process may open {} "
                    + "files (ulimit -n) and has {} MiB of heap (-Xmx), 12 KiB for each", limits.limit(),
                    config.server().maxConnections(), OpenFiles.limit(),
                    Runtime.getRuntime().maxMemory() >> 20);
        }
    }

    /** Returns the current site. */
    Site current() {
        return sites.current();
    }

    private RoutingTable adminRoutes(LoadedConfig of) {
        var state = new CurrentGatewayState(this::current, this::port, this::reload);
        return new AdminRoutes(meters, health, state,
                of.config().admin().allowedHosts().orElse(Set.of())).table();
    }

    /**
     * Applies the settings that belong neither to the site nor to a listener.
     *
     * @param freeFiles the number of files that this process could still open at the start
     */
    private void updateLimits(GatewayConfig next, long freeFiles) {
        limits.update(next.server(), OpenFiles.roomForConnections(freeFiles, next),
                requestsToUpstreams(next));
        connections.idleGrace(next.lifecycle().idleGrace());
    }

    /** Returns how many requests upstreams serve at once, each on a connection of its own. */
    private static int requestsToUpstreams(GatewayConfig of) {
        return of.upstreams().values().stream().mapToInt(UpstreamConfig::concurrency).sum();
    }

    private void warmUp(UpstreamNetwork network) throws StartException {
        var port = new WarmUpPort(config, listeners, connections, steps, meters, network);
        port.open(current(), () -> health.enter(Health.State.SERVING)).ifPresent(this::started);
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

    private RequestObserver observer(RequestMeters requestMeters) {
        var accessLog = new AccessLog(() -> current().config().log());
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

    private <T extends AutoCloseable> T started(T part) {
        return parts.add(part);
    }

    /**
     * Reloads the configuration; see {@link Reload#now}. Any thread.
     *
     * @throws RejectedExecutionException while the gateway starts or stops
     */
    Future<Map<String, Object>> reload() {
        Reload ready = reload;
        if (ready == null) {
            throw new RejectedExecutionException("the gateway is starting");
        }
        return ready.now();
    }

    /** Returns the port for plain HTTP; until it is open, the configured one. */
    int port() {
        OpenPort open = listeners.server().open();
        return open == null ? config.server().port() : open.port();
    }

    /** Returns the port for TLS; empty if none is open. */
    OptionalInt tlsPort() {
        OpenPort open = listeners.tls().open();
        return open == null ? OptionalInt.empty() : OptionalInt.of(open.port());
    }

    /** Returns the admin port. */
    int adminPort() {
        OpenPort open = listeners.admin().open();
        return open == null ? config.admin().port() : open.port();
    }

    EventLoopGroup workers() {
        return workers;
    }

    /** Blocks until the gateway has warmed up and is ready. */
    void awaitReady() {
        health.awaitServing();
    }

    /** Blocks until the gateway has been closed or the calling thread is interrupted. */
    void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drains connections, then stops every part; blocks until that is done. A further call does nothing. */
    @Override
    public synchronized void close() {
        if (parts.isClosed()) {
            return;
        }
        stopping = true;
        try {
            if (reload != null) {
                reload.close(); // waits for a reload that is running
            }
            new Drain(current().config().lifecycle(), health)
                    .run(listeners.toClients(), workers, connections, window ->
                            current().resources().tunnels().values()
                                    .forEach(tunnels -> tunnels.drainEndlessExchanges(window)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            parts.close();
            closed.countDown();
        }
    }

    /** Stops every part, after a drain that is running. */
    private synchronized void closeParts() {
        parts.close();
    }
}
