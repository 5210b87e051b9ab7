package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.gateway.plugin.PluginException;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.TlsException;

/** Checks a configuration and prints its routes. */
final class CheckCommand extends Command {
    private final ConfigOptions options = new ConfigOptions(this);

    CheckCommand() {
        super("check", "Check a configuration and print its routes.");
    }

    @Override
    public Integer call() throws TlsException, PluginException {
        GatewayConfig config = options.source(PluginJars.ofEnvironment()).load().config();
        if (config.tls().enabled()) {
            Certificates.check(config.tls());
        }
        print(ConfigReport.of(config));
        return DONE;
    }
}
