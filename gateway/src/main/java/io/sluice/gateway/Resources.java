package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.gateway.admin.MeteredPool;
import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.metrics.MeteredUpstream;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.PoolMeters;
import io.sluice.gateway.metrics.UpstreamMeters;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.tls.EndpointTls;
import io.sluice.gateway.tls.TlsException;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.gateway.websocket.SocketRoute;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.offload.Offload;
import io.sluice.offload.Permits;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.process.Programs;
import io.sluice.offload.process.SandboxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a site: pools, databases, upstreams, buses, topics, programs, and the open tunnels of
 * routes. A resource of the previous site is taken over if its configuration is the same. Confined to the
 * thread that starts and reloads the gateway.
 */
final class Resources {
    /** The time for the first look-ups of all names, and for all buses: requests that come before get 503. */
    private static final long WAIT_MILLIS = 1000;

    private final GatewayConfig config;
    private final Meters meters;
    private final UpstreamNetwork network;
    private final ResourceSet<MeteredPool> pools;
    private final ResourceSet<Database> databases;
    private final TopicResources topics;
    private final ResourceSet<MeteredUpstream> upstreams;
    /** The programs of each route, by its name. */
    private final ResourceSet<Programs> programs;
    /** The open tunnels of each route, by its name. */
    private final ResourceSet<DrainableSet> tunnels;
    /** The WebSocket settings of each route, by its name. */
    private final ResourceSet<SocketRoute<?>> sockets;
    /** Apply new settings to resources that were taken over, once the site is the current one. */
    private final List<Runnable> changes = new ArrayList<>();

    /**
     * Resources of a configuration; starts nothing yet.
     *
     * @param network by which upstreams reach their endpoints
     * @param before the resources of the previous site; null at the start
     */
    Resources(GatewayConfig config, Meters meters, UpstreamNetwork network, @Nullable Resources before) {
        this.config = config;
        this.meters = meters;
        this.network = network;
        pools = ResourceSet.after(before, last -> last.pools);
        databases = ResourceSet.after(before, last -> last.databases);
        topics = new TopicResources(config, meters, before == null ? null : before.topics);
        upstreams = ResourceSet.after(before, last -> last.upstreams);
        programs = ResourceSet.after(before, last -> last.programs);
        tunnels = ResourceSet.after(before, last -> last.tunnels);
        sockets = ResourceSet.after(before, last -> last.sockets);
    }

    /** Starts the new resources. Databases are only created; {@link #connect} connects them. Blocks. */
    void start() throws StartException, InterruptedException {
        pools.addAll(config.offload().pools(), pool -> pool, this::startPool);
        upstreams.addAll(config.upstreams(), this::upstreamFrom, this::startUpstream);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
        for (Resource<MeteredUpstream> upstream : upstreams.started().values()) {
            upstream.object().upstream().awaitNames(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        topics.start(changes);
        databases.addAll(config.databases(), database -> List.of(database, poolConfig(database.pool())),
                this::startDatabase);
        for (var route : config.routes().entrySet()) {
            if (route.getValue().handler() instanceof HandlerConfig.WsCode code) {
                programs.add(route.getKey(),
                        List.of(code.program(), code.pool(), poolConfig(code.pool())),
                        () -> startPrograms(route.getKey(), code));
            }
        }
    }

    private PoolConfig poolConfig(String name) {
        return require(config.offload().pools(), name);
    }

    private Resource<MeteredPool> startPool(String name, PoolConfig pool) {
        MeterScope scope = meters.scope();
        PoolMeters observer = scope.pool(name);
        Offload started = Offload.start(name, pool, observer);
        observer.bind(started);
        return new Resource<>(new MeteredPool(started, observer), scope,
                () -> started.stats().busy() + started.stats().queued() == 0, started);
    }

    /** Returns what an upstream is made from. */
    private Object upstreamFrom(UpstreamConfig upstream) {
        return List.of(upstream, config.tls().provider(), config.tls().reloadInterval());
    }

    private Resource<MeteredUpstream> startUpstream(String name, UpstreamConfig upstream)
            throws StartException {
        EndpointTls tls = endpointTls(name, upstream);
        var observer = new UpstreamMeters();
        Permits permits = Permits.create("upstream " + name, upstream, observer);
        MeteredUpstream former = upstreams.before(name);
        var started = new Upstream(name, upstream, permits, observer, network, tls,
                former == null ? null : former.upstream());
        return new Resource<>(new MeteredUpstream(started, observer), meters.scope(), () -> {
            started.close(); // its responses end by themselves
            tls.close();
        });
    }

    private EndpointTls endpointTls(String name, UpstreamConfig upstream) throws StartException {
        try {
            return new EndpointTls(name, upstream, config.tls());
        } catch (TlsException e) {
            throw new StartException(e.getMessage(), e);
        }
    }

    private Resource<Database> startDatabase(String name, DatabaseConfig database) {
        var started = new Database(name, database, pool(database.pool()));
        MeterScope scope = meters.scope();
        scope.bind(name, started);
        return new Resource<>(started, scope, started);
    }

    private Resource<Programs> startPrograms(String route, HandlerConfig.WsCode code)
            throws StartException, InterruptedException {
        var started = new Programs(code.program(), pool(code.pool()));
        try {
            started.selfTest();
            return new Resource<>(started, meters.scope(), started::isIdle, started);
        } catch (SandboxException e) {
            started.close();
            throw new StartException(
                    "sluice.routes.%s.program.sandbox: %s".formatted(route, e.getMessage()), e);
        } catch (Throwable e) {
            started.close();
            throw e;
        }
    }

    /**
     * Returns the open tunnels of a route. They are kept across a reload if the route keeps the configuration
     * that they cannot follow.
     */
    DrainableSet tunnels(String route, Object madeFrom) throws StartException, InterruptedException {
        var none = new DrainableSet();
        return tunnels.add(route, madeFrom,
                () -> new Resource<>(none, meters.scope(), () -> none.count() == 0, () -> { }));
    }

    /**
     * Returns the settings of a route's WebSockets. They are kept across a reload together with the open
     * WebSockets, which get the new ones when the site becomes the current one.
     */
    <T> SocketRoute<T> sockets(String route, String uri, HandlerConfig.ForSockets handler, T settings)
            throws StartException, InterruptedException {
        var madeFrom = List.of(uri, handler.getClass(), handler.boundToTunnels());
        SocketRoute<?> kept = sockets.add(route, madeFrom, () -> {
            MeterScope scope = meters.scope();
            var started = new SocketRoute<>(uri, scope.sockets(uri), config.server().timeouts(),
                    handler.socket(), settings);
            return new Resource<>(started, scope, () -> { });
        });
        @SuppressWarnings("unchecked") // the same class of handler has the same class of settings
        var open = (SocketRoute<T>) kept;
        changes.add(() -> open.update(config.server().timeouts(), handler.socket(), settings));
        return open;
    }

    /**
     * Connects to the new databases, and waits for new buses for a moment. Changes nothing outside of this
     * process. Blocks; other routes can be served meanwhile.
     */
    void connect() throws StartException, InterruptedException {
        DatabaseConnector.connect(databases);
        topics.awaitBuses(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Runs the new scripts of databases, which cannot be undone, and opens the new databases. Blocks.
     *
     * @throws StartException if a script fails; earlier scripts have run
     */
    void openDatabases() throws StartException {
        DatabaseConnector.open(databases);
    }

    /**
     * Makes these the resources of the current site: withdraws the meters of former resources, publishes the
     * new ones, and applies changed settings. Does not fail.
     */
    void use() {
        leftOver().forEach(resource -> resource.meters().withdraw());
        started().forEach(resource -> resource.meters().publish());
        changes.forEach(Runnable::run);
        changes.clear();
        topics.stopSources();
    }

    /** Starts the sources that do not run yet, after databases' scripts and if this is the current site. */
    void startSources() {
        topics.startSources();
    }

    /**
     * Records that requests on these routes may use the resources. From here on no request begins on the
     * previous routes.
     */
    void usedBy(RoutingTable routes) {
        all().forEach(resource -> resource.usedBy(routes));
    }

    /** Returns the open tunnels of routes that were not taken over. */
    Stream<DrainableSet> leftOverTunnels() {
        return tunnels.leftOver().map(Resource::object);
    }

    /**
     * Returns the resources of the previous site that were not taken over, in the order in which to close
     * them.
     */
    List<Resource<?>> leftOver() {
        return sets().<Resource<?>>flatMap(ResourceSet::leftOver).toList();
    }

    /** Returns the resources that the previous site does not have, in the order in which to close them. */
    List<Resource<?>> started() {
        return sets().<Resource<?>>flatMap(set -> set.started().values().stream()).toList();
    }

    /**
     * Returns all resources, in the order in which to close them: tunnels before what they use, sources
     * before their topics, and pools, whose tasks may take long, before the databases and programs of these.
     */
    List<Resource<?>> all() {
        return sets().<Resource<?>>flatMap(ResourceSet::all).toList();
    }

    private Stream<ResourceSet<?>> sets() {
        return Stream.of(Stream.of(tunnels, sockets), topics.sets(),
                Stream.of(upstreams, pools, databases, programs)).flatMap(sets -> sets);
    }

    /** Returns an entry whose name the check of the configuration has found. */
    static <T> T require(Map<String, T> entries, String name) {
        T entry = entries.get(name);
        if (entry == null) {
            throw new IllegalStateException(name + ": not there (expected: one of " + entries.keySet() + ')');
        }
        return entry;
    }

    private Offload pool(String name) {
        return require(pools.objects(), name).offload();
    }

    Map<String, MeteredPool> pools() {
        return pools.objects();
    }

    Map<String, Database> databases() {
        return databases.objects();
    }

    TopicResources topics() {
        return topics;
    }

    Map<String, MeteredUpstream> upstreams() {
        return upstreams.objects();
    }

    Map<String, Programs> programs() {
        return programs.objects();
    }

    Map<String, DrainableSet> tunnels() {
        return tunnels.objects();
    }
}
