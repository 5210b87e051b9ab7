package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.limits.OpenFiles;
import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.files.KeptFiles;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The current site, the way to the next one, and what all sites share. The current site may be asked for by
 * any thread; it is exchanged by one at a time.
 */
final class Sites implements AutoCloseable {
    private final Meters meters;
    private final RequestMeters requests;
    private final EventLoopGroup workers;
    private final Function<LoadedConfig, RoutingTable> operators;
    private final SpillSpace spillSpace;
    private final Routes.Shared shared;
    private final Retirement retirement = new Retirement();
    /** The routes of sites before on which requests run. */
    private final List<RoutingTable> former = new ArrayList<>();
    private volatile Site current;

    /**
     * No site yet.
     *
     * @param config of what the sites share; read at the start only
     * @param operators makes the routes of the admin port
     */
    Sites(LoadedConfig config, PluginJars plugins, Meters meters, RequestMeters requests,
          RequestObserver observer, EventLoopGroup workers, Function<LoadedConfig, RoutingTable> operators) {
        this.meters = meters;
        this.requests = requests;
        this.workers = workers;
        this.operators = operators;
        spillSpace = new SpillSpace(config.config().offload().spill());
        shared = new Routes.Shared(() -> current.routes(), observer, spillSpace,
                new KeptFiles(OpenFiles.forAnswers()), plugins);
    }

    /** Starts what the sites share. */
    void start() {
        meters.bind(spillSpace);
        MeterScope scope = meters.scope();
        scope.publish();
        var readers = scope.pool("spill");
        readers.bind(spillSpace.start(readers));
    }

    /** What is served now. */
    Site current() {
        return current;
    }

    /**
     * Makes the next site, and starts those of its resources that are new, but for databases; blocks.
     *
     * @throws StartException where it cannot serve; what was started for it has been closed then
     */
    Site build(LoadedConfig config) throws StartException, InterruptedException {
        var resources = new Resources(config.config(), meters, current == null ? null : current.resources());
        try {
            resources.start();
            return new Site(config, resources, Routes.of(config.config(), resources, shared),
                    operators.apply(config));
        } catch (Throwable e) {
            Retirement.closeAll(resources.started());
            throw e;
        }
    }

    /** Closes what was started for a site that will not be the current one. */
    void discard(Site next) {
        Retirement.closeAll(next.resources().started());
    }

    /**
     * Makes a site the current one; requests that run end on the one before. Sockets whose route is gone are
     * closed.
     *
     * @param window over which those are spread
     */
    void use(Site next, Duration window) throws InterruptedException {
        Site before = current;
        next.resources().use();
        current = next;
        awaitLoops(); // from here on, no request begins on the site before
        if (before != null) {
            former.add(before.routes());
        }
        next.resources().usedBy(next.routes());
        next.resources().closeLeftOverSockets(window);
        retirement.add(next.resources().leftOver());
    }

    /** Waits until each event loop has ended the task that it runs. */
    private void awaitLoops() throws InterruptedException {
        for (EventExecutor loop : workers) {
            loop.submit(() -> { }).await();
        }
    }

    /**
     * Closes what no request uses any more, and removes the meters of routes that are gone after the last of
     * their requests; says whether some is left.
     */
    boolean tidy() {
        former.removeIf(RoutingTable::isIdle);
        boolean left = retirement.closeUnused() || !former.isEmpty();
        if (!left) {
            Set<String> served = current.routes().routes().stream().map(Route::uri)
                    .collect(Collectors.toCollection(HashSet::new));
            served.add(RoutedRequest.UNROUTED);
            workers.forEach(loop -> loop.execute(() -> requests.retain(served)));
        }
        return left;
    }

    /** How many files answers may hold open. */
    int openFilesOfAnswers() {
        return shared.keptFiles().limit();
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
