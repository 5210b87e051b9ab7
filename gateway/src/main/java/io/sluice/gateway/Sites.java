package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.filter.Tokens;
import io.sluice.gateway.limits.OpenFiles;
import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.openapi.ApiDescription;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.handlers.files.KeptFiles;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds sites, exchanges the current one, and owns what all sites share. Any thread may read the current
 * site; one thread at a time builds and exchanges it.
 */
final class Sites implements AutoCloseable {
    private final Meters meters;
    private final RequestMeters requests;
    private final EventLoopGroup workers;
    private final UpstreamNetwork network;
    private final Function<LoadedConfig, RoutingTable> adminRoutes;
    private final SpillSpace spillSpace;
    private final Routes.Shared shared;
    private final Retirement retirement = new Retirement();
    /** The routes of former sites, without those on which no request runs any more. */
    private final List<Route> former = new ArrayList<>();
    /** The tunnels of routes that are not served any more, with the responses of upstreams among them. */
    private final Set<DrainableSet> leftOver = new HashSet<>();
    /** The paths whose requests have meters, at most; empty if that is not known. */
    private Set<String> metered = Set.of();
    @SuppressWarnings("NullAway.Init") // set by the first use(), before a port is open
    private volatile Site current;

    /**
     * Holds no site until the first {@link #use}.
     *
     * @param network by which upstreams reach their endpoints
     */
    Sites(LoadedConfig config, PluginJars plugins, Meters meters, RequestMeters requests,
          RequestObserver observer, EventLoopGroup workers, UpstreamNetwork network,
          Function<LoadedConfig, RoutingTable> adminRoutes) {
        this.meters = meters;
        this.requests = requests;
        this.workers = workers;
        this.network = network;
        this.adminRoutes = adminRoutes;
        spillSpace = new SpillSpace(config.config().offload().spill());
        shared = new Routes.Shared(() -> current.routes(), observer, spillSpace,
                new KeptFiles(OpenFiles.forAnswers()), plugins);
    }

    /** Starts the objects that all sites share. */
    void start() {
        meters.bind(spillSpace);
        MeterScope scope = meters.scope();
        scope.publish();
        var poolMeters = scope.pool("spill");
        poolMeters.bind(spillSpace.start(poolMeters));
    }

    /** Returns the current site; null until the first {@link #use}. */
    Site current() {
        return current;
    }

    /**
     * Builds the next site and starts its new resources, but does not connect databases. Blocks.
     *
     * @throws StartException if the site cannot be served; the resources started for it have been closed
     */
    Site build(LoadedConfig config) throws StartException, InterruptedException {
        var resources = new Resources(config.config(), meters, network,
                current == null ? null : current.resources());
        try {
            resources.start();
            var api = new ApiDescription(config.config(), resources.databases());
            return new Site(config, resources, api, Routes.of(config.config(), resources, api, shared),
                    adminRoutes.apply(config));
        } catch (Throwable e) {
            Retirement.closeAll(resources.started());
            throw e;
        }
    }

    /** Closes the resources that were started for a site that will not become the current one. */
    void discard(Site next) {
        Retirement.closeAll(next.resources().started());
    }

    /**
     * Makes a site the current one. Running requests end on the previous site. Tunnels that the site does not
     * take over, or whose callers it does not admit, are drained. Blocks until each event loop has run a
     * task.
     *
     * @param window the time over which the draining of tunnels is spread
     */
    void use(Site next, Duration window) throws InterruptedException {
        Site before = current;
        next.resources().use();
        current = next;
        try {
            awaitLoops(); // from here on no request begins on the previous site
        } finally {
            retire(before, next, window);
        }
    }

    /** Ends the use of the previous site, except by requests that still run on it. */
    private void retire(@Nullable Site before, Site next, Duration window) {
        if (before != null) {
            former.addAll(before.routes().routes());
            metered = Set.of(); // its paths may come and go between two looks
        }
        next.resources().usedBy(next.routes());
        next.resources().leftOverTunnels().forEach(tunnels -> {
            tunnels.drain(window);
            leftOver.add(tunnels);
        });
        var tokens = new Tokens(next.config().tokens());
        leftOver.forEach(tunnels -> tunnels.requireAccess(tokens::holds, window));
        next.routes().routes().forEach(route -> route.tunnels().requireAccess(route.access(), window));
        retirement.add(next.resources().leftOver());
    }

    /** Waits until each event loop has completed its running task. */
    private void awaitLoops() throws InterruptedException {
        for (EventExecutor loop : workers) {
            loop.submit(() -> { }).await();
        }
    }

    /**
     * Closes the former sites' resources that are no longer used, and removes the meters of routes that are
     * no longer served, each when its last request has ended. Returns whether any remain.
     */
    boolean tidy() {
        former.removeIf(Route::hasNoRequests);
        leftOver.removeIf(tunnels -> !tunnels.relays()
                && former.stream().noneMatch(route -> route.tunnels() == tunnels));
        Set<String> served = uris(current.routes().routes());
        Set<String> ending = uris(former);
        ending.removeAll(served);
        Set<String> next = new HashSet<>(served);
        next.addAll(ending);
        next.add(RoutedRequest.UNROUTED);
        if (!next.equals(metered)) {
            metered = next;
            workers.forEach(loop -> loop.execute(() -> requests.retain(next)));
        }
        return retirement.closeUnused() || !ending.isEmpty();
    }

    private static Set<String> uris(List<Route> routes) {
        return routes.stream().map(Route::uri).collect(Collectors.toCollection(HashSet::new));
    }

    /** Closes every resource, used or not. */
    @Override
    public void close() throws IOException {
        retirement.close();
        if (current != null) {
            Retirement.closeAll(current.resources().all());
        }
        spillSpace.close();
    }
}
