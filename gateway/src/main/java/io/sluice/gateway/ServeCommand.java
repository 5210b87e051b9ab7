package io.sluice.gateway;

import io.sluice.config.read.ConfigSource;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.lifecycle.SighupListener;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.plugin.PluginException;
import io.sluice.gateway.plugin.PluginJars;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a configuration until a signal stops the process. */
final class ServeCommand extends Command {
    private static final int START_SECONDS = 5;

    private final ConfigOptions options = new ConfigOptions(this);

    ServeCommand(String name, String... description) {
        super(name, description);
    }

    @Override
    public Integer call() throws StartException, PluginException {
        var serving = new CompletableFuture<Gateway>();
        var started = new CompletableFuture<Gateway>();
        SighupListener.run(() -> started.thenAccept(Gateway::reload)); // an early SIGHUP must not end the JVM
        PluginJars plugins = PluginJars.ofEnvironment();
        ConfigSource source = options.source(plugins);
        LoadedConfig loaded = source.load();
        LogSetup.apply(loaded.config().log());
        Logger log = LoggerFactory.getLogger(Main.class);
        // Before the ports are open: the first requests must not be cut off by an early SIGTERM.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(serving, started, log),
                "shutdown"));
        Gateway gateway;
        try {
            gateway = Gateway.start(loaded, source, plugins, serving::complete);
            started.complete(gateway);
        } catch (Throwable e) {
            started.completeExceptionally(e);
            serving.completeExceptionally(e);
            throw e;
        }
        String tls = gateway.tlsPort().isPresent() ? " and https://localhost:%d/"
                .formatted(gateway.tlsPort().getAsInt()) : "";
        log.info("Sluice {} serves http://localhost:{}/{} - admin port: http://localhost:{}/metrics",
                Main.version(), gateway.port(), tls, gateway.adminPort());
        gateway.awaitClose();
        return DONE;
    }

    /**
     * Stops the gateway, also while it connects its databases; waits for a moment until its ports are open.
     * Does nothing if its start has failed.
     */
    private static void stop(CompletableFuture<Gateway> serving, CompletableFuture<Gateway> started,
                             Logger log) {
        Gateway gateway = serving.<@Nullable Gateway>handle((open, _) -> open)
                .completeOnTimeout(null, START_SECONDS, TimeUnit.SECONDS).join();
        if (started.isCompletedExceptionally()) {
            return;
        }
        if (gateway != null) {
            gateway.close();
        }
        log.info(gateway != null ? "stopped" : "stopped before a port was open");
        LogSetup.flush();
        // A JVM that is stopped by a signal would exit with 143 or 130, but a drained stop is a success.
        Runtime.getRuntime().halt(DONE);
    }
}
