package io.sluice.gateway;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.GatewayConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.read.ConfigDiff;
import io.sluice.config.read.ConfigSource;
import io.sluice.config.read.ConfigWatch;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.admin.ReloadException;
import io.sluice.gateway.check.MachineCheck;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.metrics.ReloadMeters;
import io.sluice.gateway.tls.TlsException;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.offload.Guard;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the configuration of a running gateway. Reloads run one after the other on one thread of their own.
 * A configuration is read and checked, and its new resources are started, before anything changes; a
 * configuration that cannot be used changes nothing.
 */
final class Reload implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Reload.class);
    private static final long TIDY_MILLIS = 100;
    private static final long CHECK_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 2_000;
    private static final long MIN_RETRY_MILLIS = 2_000;
    private static final long MAX_RETRY_MILLIS = 300_000;

    private final EventExecutor thread =
            new DefaultEventExecutor(new DefaultThreadFactory("reload", true));
    private final Guard guard =
            new Guard(log, "the configuration is in effect, but a step behind its reload failed; sources that"
                    + " did not start, and what could not be closed, are tried again");
    private final ConfigSource source;
    private final Sites sites;
    private final Listeners listeners;
    private final ReloadMeters meters;
    private final Consumer<GatewayConfig> onCommit;
    /** The configuration of the start, whose values remain in effect for keys that only a restart applies. */
    private final GatewayConfig started;
    private final ConfigWatch files = new ConfigWatch();
    /** The time between a refused reload and the next try; 0 if there is none. */
    private long retryMillis;
    private long endedNanos;
    private boolean ranScripts;
    private @Nullable String reason;
    private boolean tidying;
    private volatile boolean closing;

    /**
     * Starts to watch the files of the current configuration.
     *
     * @param onCommit applies a committed configuration to parts outside of the site and the listeners
     */
    Reload(ConfigSource source, Sites sites, Listeners listeners, ReloadMeters meters,
           Consumer<GatewayConfig> onCommit) {
        this.source = source;
        this.sites = sites;
        this.listeners = listeners;
        this.meters = meters;
        this.onCommit = onCommit;
        started = sites.current().config();
        files.loaded(sites.current().loaded().files());
        thread.scheduleWithFixedDelay(() -> guard.run(this::reloadIfChanged), CHECK_MILLIS, CHECK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /**
     * Reloads after a change of the configuration's files, if {@code reload-on-change} is set, and again
     * after a refusal. Its reason may pass: a lack of descriptors, a port in use, a certificate that is not
     * there yet.
     */
    private void reloadIfChanged() {
        if (!sites.current().config().lifecycle().reloadOnChange()) {
            return;
        }
        if (files.hasChanged()) {
            log.info("a file of the configuration has changed");
            retryMillis = 0;
            now();
        } else if (retryMillis > 0 && files.areAsLoaded()
                && System.nanoTime() - endedNanos > TimeUnit.MILLISECONDS.toNanos(retryMillis)) {
            thread.submit(() -> run(true));
        }
    }

    /**
     * Reads the configuration again and applies it. Any thread; does not block.
     *
     * @return the changes, for a JSON response; fails with a {@link ReloadException} if nothing has changed
     *     because the configuration was refused
     */
    Future<Map<String, Object>> now() {
        return thread.submit(() -> run(false));
    }

    /** Reads the configuration and applies it; another time, only another reason of a refusal is logged. */
    private Map<String, Object> run(boolean again) throws ReloadException, InterruptedException {
        long begun = System.nanoTime();
        boolean done = false;
        ranScripts = false;
        try {
            StartException.ifStopping(closing);
            Map<String, Object> changed = apply(load());
            done = true;
            return changed;
        } catch (ConfigException e) {
            throw refused(e.problems().stream().map(Objects::toString).toList(), e, again);
        } catch (StartException | TlsException e) {
            throw refused(List.of(e.getMessage()), e, again);
        } catch (Throwable e) {
            if (isToBeLogged(e.toString(), again)) {
                log.error("the reload of the configuration failed", e);
            }
            throw e;
        } finally {
            endedNanos = System.nanoTime();
            retryMillis = done || ranScripts ? 0
                    : Math.clamp(2 * retryMillis, MIN_RETRY_MILLIS, MAX_RETRY_MILLIS);
            meters.ended(done, System.nanoTime() - begun);
        }
    }

    /** Reads the configuration; changes of its files from then on cause another reload, also if refused. */
    private LoadedConfig load() {
        try {
            LoadedConfig next = source.load();
            files.loaded(next.files());
            return next;
        } catch (ConfigException e) {
            files.loaded(e.files());
            throw e;
        }
    }

    private ReloadException refused(List<String> mistakes, Exception cause, boolean again) {
        String all = String.join("\n", mistakes);
        if (isToBeLogged(all, again)) {
            log.error("configuration not reloaded, the former one stays in effect: {}", all);
        }
        return new ReloadException(mistakes, cause);
    }

    private boolean isToBeLogged(String refusal, boolean again) {
        boolean isLogged = !again || !refusal.equals(reason);
        reason = refusal;
        return isLogged;
    }

    private Map<String, Object> apply(LoadedConfig next)
            throws StartException, TlsException, InterruptedException {
        GatewayConfig before = sites.current().config();
        ConfigDiff diff = ConfigDiff.between(before, next.config());
        MachineCheck.check(next, before);
        Site site = prepare(next);
        int closingSockets = leftOverSockets(site);
        commit(site, before);
        applyRest(site, before);
        return report(diff, ConfigDiff.between(started, next.config()), closingSockets);
    }

    /** Does all that can fail: builds the next site, connects what it uses, and prepares its ports. */
    private Site prepare(LoadedConfig next) throws StartException, TlsException, InterruptedException {
        Site site = sites.build(next);
        try {
            site.resources().connect();
            listeners.check(next.config());
            StartException.ifStopping(closing);
            ranScripts = true; // the reload is not tried again by itself
            site.resources().openDatabases(); // after all checks, as scripts cannot be undone
            StartException.ifStopping(closing);
            listeners.prepare(next.config()); // last, as it may close ports
            return site;
        } catch (Throwable e) {
            sites.discard(site);
            throw e;
        }
    }

    /** Returns the number of open WebSockets and event streams that the next site does not take over. */
    private static int leftOverSockets(Site next) {
        return next.resources().leftOverTunnels().mapToInt(DrainableSet::count).sum()
                + next.routes().routes().stream()
                .mapToInt(route -> route.tunnels().countWithout(route.access())).sum();
    }

    /** Makes a prepared site the current one, and then opens its ports. */
    private void commit(Site site, GatewayConfig before) throws StartException, InterruptedException {
        try {
            sites.use(site, site.config().lifecycle().drainTimeout().dividedBy(2));
        } catch (Throwable e) {
            if (sites.current() != site) {
                sites.discard(site);
                listeners.rollBack(e);
            }
            throw e;
        } finally {
            if (sites.current() == site) { // and so must its ports be
                tidyLater();
                commitListeners(before.tls().handshakeTimeout());
            }
        }
    }

    /** Applies the rest of a configuration that is in effect. A step that fails is logged. */
    private void applyRest(Site site, GatewayConfig before) {
        GatewayConfig config = site.config();
        guard.run(site.resources()::startSources);
        guard.run(() -> onCommit.accept(config));
        if (!config.log().equals(before.log())) {
            guard.run(() -> LogSetup.apply(config.log()));
        }
    }

    private void commitListeners(Duration formerHandshake) {
        AutoCloseable former = listeners.commit();
        if (former != null) {
            thread.schedule(() -> guard.run(() -> close(former)), 2 * formerHandshake.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private static void close(AutoCloseable former) {
        try {
            former.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> report(ConfigDiff diff, ConfigDiff sinceStart, int sockets) {
        List<String> changes = diff.changes().stream().map(Objects::toString).toList();
        List<String> restarts = sinceStart.restarts().stream().map(ConfigDiff.Change::path).toList();
        log.info("configuration reloaded; changes: {}; WebSockets and event streams that close: {}{}",
                changes.isEmpty() ? "none" : String.join(", ", changes), sockets, restarts.isEmpty() ? ""
                        : "; only a restart applies: " + String.join(", ", restarts));
        var report = new LinkedHashMap<String, Object>();
        report.put("changes", changes);
        report.put("forNextStart", restarts);
        report.put("socketsClosing", sockets);
        return report;
    }

    /** Schedules the closing of former sites' resources, each as soon as no request uses it. */
    private void tidyLater() {
        if (!tidying) {
            tidying = true;
            thread.schedule(this::tidy, TIDY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tidy() {
        tidying = false;
        boolean left = true;
        try {
            left = sites.tidy();
        } catch (Throwable e) {
            guard.report(e);
        }
        // Those that could not be started, for which former resources may have held the threads.
        boolean sourcesRun = guard.run(sites.current().resources()::startSources);
        if (left || !sourcesRun) {
            tidyLater();
        }
    }

    /**
     * Accepts no further reloads and waits 2 s at most for a running one. A reload that has not begun, or
     * still waits for a database, changes nothing; one that already opens ports ends within that time.
     */
    @Override
    public void close() {
        closing = true;
        thread.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }
}
