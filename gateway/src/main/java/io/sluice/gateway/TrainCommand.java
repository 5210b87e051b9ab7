package io.sluice.gateway;

import io.sluice.config.read.ConfigLoader;
import io.sluice.config.read.ConfigSource;
import io.sluice.config.read.LoadedConfig;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.plugin.PluginJars;
import java.util.Map;

/** Runs the demo on free ports until it is warm, for the AOT cache of the JVM. */
final class TrainCommand extends Command {

    TrainCommand() {
        super("train", "Run the demo on free ports until it is warm, for -XX:AOTCacheOutput=FILE.");
    }

    @Override
    public Integer call() throws StartException {
        ConfigSource source = () -> new ConfigLoader(Map.of("sluice.server.host", "127.0.0.1",
                "sluice.server.port", "0", "sluice.admin.port", "0")).loadResource("demo.conf");
        LoadedConfig loaded = source.load();
        LogSetup.apply(loaded.config().log());
        try (Gateway gateway = Gateway.start(loaded, source, PluginJars.NONE, _ -> { })) {
            gateway.awaitReady();
        }
        LogSetup.flush();
        return DONE;
    }
}
