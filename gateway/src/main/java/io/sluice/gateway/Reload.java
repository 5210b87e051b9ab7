package io.sluice.gateway;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigDiff;
import io.sluice.config.read.ConfigException;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.admin.ReloadException;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.metrics.ReloadMeters;
import io.sluice.gateway.tls.TlsException;
import io.sluice.offload.Guard;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a running gateway follow its configuration, one reload after the other on a thread of its own. A
 * configuration is read, checked, and all that it needs is started, before anything changes: one that cannot
 * be used changes nothing.
 */
final class Reload implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Reload.class);
    private static final long TIDY_MILLIS = 100;
    private static final long LOOK_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 2_000;

    private final EventExecutor thread =
            new DefaultEventExecutor(new DefaultThreadFactory("reload", true));
    private final Guard guard =
            new Guard(log, "what a reload left over could not be closed; this is tried again");
    private final ConfigSource source;
    private final Sites sites;
    private final Listeners listeners;
    private final ReloadMeters meters;
    private final Consumer<GatewayConfig> followers;
    /** The one that the process started with: keys for the next start keep its values. */
    private final GatewayConfig started;
    private final ConfigWatch files = new ConfigWatch();
    private boolean tidying;
    private volatile boolean closing;

    /**
     * Nothing is reloaded yet.
     *
     * @param followers take over what is left of a configuration that is in effect
     */
    Reload(ConfigSource source, Sites sites, Listeners listeners, ReloadMeters meters,
           Consumer<GatewayConfig> followers) {
        this.source = source;
        this.sites = sites;
        this.listeners = listeners;
        this.meters = meters;
        this.followers = followers;
        started = sites.current().config();
        files.loaded(sites.current().loaded().files());
        thread.scheduleWithFixedDelay(() -> guard.run(this::look), LOOK_MILLIS, LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Reloads where the configuration asks for that when its files change. */
    private void look() {
        if (sites.current().config().lifecycle().reloadOnChange() && files.hasChanged()) {
            log.info("a file of the configuration has changed");
            files.loaded(sites.current().loaded().files());
            now();
        }
    }

    /**
     * Reads the configuration again and follows it. Any thread; does not block.
     *
     * @return what has changed, for JSON; or a {@link ReloadException} where nothing has
     */
    Future<Map<String, Object>> now() {
        return thread.submit(this::run);
    }

    private Map<String, Object> run() throws ReloadException, InterruptedException {
        long begun = System.nanoTime();
        boolean done = false;
        try {
            LoadedConfig next = source.load();
            files.loaded(next.files()); // what changes from here on is another change
            Map<String, Object> changed = follow(next);
            done = true;
            return changed;
        } catch (ConfigException e) {
            throw refused(e.problems().stream().map(Objects::toString).toList(), e);
        } catch (StartException | TlsException e) {
            throw refused(List.of(e.getMessage()), e);
        } catch (Throwable e) {
            log.error("the reload of the configuration failed", e);
            throw e;
        } finally {
            meters.ended(done, System.nanoTime() - begun);
        }
    }

    private static ReloadException refused(List<String> mistakes, Exception cause) {
        log.error("configuration not reloaded, the former one stays in effect: {}",
                String.join("\n", mistakes));
        return new ReloadException(mistakes, cause);
    }

    private Map<String, Object> follow(LoadedConfig next)
            throws StartException, TlsException, InterruptedException {
        GatewayConfig before = sites.current().config();
        GatewayConfig config = next.config();
        ConfigDiff diff = ConfigDiff.between(before, config);
        List<String> restarts = ConfigDiff.between(started, config).restarts().stream()
                .map(ConfigDiff.Change::path).toList();
        Site site = sites.build(next);
        try {
            site.resources().connect();
            if (closing) {
                throw new StartException("the gateway stops", null);
            }
            listeners.prepare(config);
        } catch (Throwable e) {
            sites.discard(site);
            throw e;
        }
        int sockets = site.resources().leftOverSockets();
        sites.use(site, config.lifecycle().drainTimeout().dividedBy(2));
        AutoCloseable former = listeners.commit();
        if (former != null) {
            Duration handshake = before.tls().handshakeTimeout();
            thread.schedule(() -> guard.run(() -> close(former)), 2 * handshake.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
        followers.accept(config);
        if (!config.log().equals(before.log())) {
            LogSetup.apply(config.log());
        }
        tidyLater();
        return report(diff, restarts, sockets);
    }

    private static void close(AutoCloseable former) {
        try {
            former.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> report(ConfigDiff diff, List<String> restarts, int sockets) {
        List<String> changes = diff.changes().stream().map(Objects::toString).toList();
        log.info("configuration reloaded; changes: {}; WebSockets that close: {}{}",
                changes.isEmpty() ? "none" : String.join(", ", changes), sockets, restarts.isEmpty() ? ""
                        : "; only a restart applies: " + String.join(", ", restarts));
        var report = new LinkedHashMap<String, Object>();
        report.put("changes", changes);
        report.put("forNextStart", restarts);
        report.put("socketsClosing", sockets);
        return report;
    }

    /** Closes what the sites before had, as soon as no request needs it. */
    private void tidyLater() {
        if (!tidying) {
            tidying = true;
            thread.schedule(this::tidy, TIDY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tidy() {
        tidying = false;
        guard.run(() -> {
            if (sites.tidy()) {
                tidyLater();
            }
        });
    }

    /** Takes no more reloads. One that waits for a database is not waited for, and changes nothing. */
    @Override
    public void close() {
        closing = true;
        thread.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }
}
