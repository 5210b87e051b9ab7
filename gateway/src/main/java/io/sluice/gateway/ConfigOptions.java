package io.sluice.gateway;

import io.sluice.config.read.ConfigLoader;
import io.sluice.config.read.ConfigSource;
import io.sluice.config.read.Plugins;
import io.sluice.gateway.plugin.PluginJars;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a command that reads a configuration: the file, and overrides of single keys. */
final class ConfigOptions {
    private static final String DEMO = "demo.conf";
    private static final String DEMO_WITH_CODE = "demo-code.conf";
    /** The key that selects the demo whose clients may run programs on the server. */
    private static final String CODE_EXECUTION = "sluice.demo.code-execution";

    private final Command command;
    private final OptionSpec file;
    private final OptionSpec overrides;

    /** Adds the options to a command. */
    ConfigOptions(Command command) {
        this.command = command;
        file = command.option(OptionSpec.builder("--config").paramLabel("FILE").type(Path.class).description(
                "The configuration, in HOCON, on top of reference.conf; it may include"
                        + " classpath(\"demo.conf\"). Without it: the demo that ships with Sluice."));
        overrides = command.option(OptionSpec.builder("-D").paramLabel("sluice.KEY=VALUE").type(List.class)
                .auxiliaryTypes(String.class).initialValue(List.of()).description(
                        "Override one key: -Dsluice.server.port=9090 (0 takes any free port). From the"
                                + " environment: CONFIG_FORCE_sluice_server_port=9090 (_ for a dot, __ for a"
                                + " dash)."));
    }

    /**
     * Returns the source of the configuration. Overrides from this command line precede the JVM's system
     * properties, and both precede the file.
     */
    ConfigSource source(PluginJars plugins) {
        var keys = new HashMap<String, String>();
        System.getProperties().forEach((key, value) -> keys.put(key.toString(), value.toString()));
        overrides.<List<String>>getValue().forEach(override -> {
            int equals = override.indexOf('=');
            if (equals < 0 || !override.startsWith("sluice.")) {
                throw command.mistake("-D%s (expected: -Dsluice.KEY=VALUE)", override);
            }
            keys.put(override.substring(0, equals), override.substring(equals + 1));
        });
        Path path = file.getValue();
        Plugins records = plugins.records();
        return path != null ? () -> new ConfigLoader(keys, records).load(path) : demo(keys, records);
    }

    private ConfigSource demo(Map<String, String> keys, Plugins plugins) {
        String code = Objects.requireNonNullElse(keys.remove(CODE_EXECUTION), "false");
        String demo = switch (code) {
            case "true" -> DEMO_WITH_CODE;
            case "false" -> DEMO;
            default -> throw command.mistake("%s: %s (expected: true or false)", CODE_EXECUTION, code);
        };
        return () -> new ConfigLoader(keys, plugins).loadResource(demo);
    }
}
