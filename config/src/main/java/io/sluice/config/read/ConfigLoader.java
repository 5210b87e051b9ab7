package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Loads a configuration: the command line over the environment over a file over
 * {@code reference.conf}.
 */
public final class ConfigLoader {
    private static final String ROOT = "sluice";
    private static final Config DEFAULTS = ConfigFactory.parseResources("reference.conf");

    private final Map<String, String> overrides;

    /**
     * Loads with overrides.
     *
     * @param overrides by their whole keys; those that do not begin with {@code sluice.} are ignored
     */
    public ConfigLoader(Map<String, String> overrides) {
        this.overrides = overrides.entrySet().stream().filter(e -> e.getKey().startsWith(ROOT + '.'))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Loads a user's file.
     *
     * @throws ConfigException with every mistake in it
     */
    public GatewayConfig load(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            var problems = new ConfigProblems();
            problems.add("", 0, "%s: no such file, or not readable (expected: a HOCON file)".formatted(file));
            throw problems.toException();
        }
        return load(file.toString(), options -> ConfigFactory.parseFile(file.toFile(), options));
    }

    /**
     * Loads a file from the class path, such as {@code demo.conf}.
     *
     * @throws ConfigException with every mistake in it
     */
    public GatewayConfig loadResource(String name) {
        return load(name, options -> ConfigFactory.parseResources(name, options));
    }

    private GatewayConfig load(String source, Function<ConfigParseOptions, Config> parser) {
        var problems = new ConfigProblems();
        try {
            Config parsed = parser.apply(ConfigParseOptions.defaults().setAllowMissing(false)
                    .setIncluder(new RequiredIncludes(source, problems)));
            reportMisspeltRoot(parsed, problems);
            Config written = ConfigFactory.parseMap(overrides, "command line")
                    .withFallback(ConfigFactory.systemEnvironmentOverrides())
                    .withFallback(parsed);
            problems.locateIn(source, written.root());
            Config merged = written.withFallback(DEFAULTS).resolve();
            if (merged.root().get(ROOT) instanceof ConfigObject root) {
                return check(root, problems);
            }
            problems.wrong(merged.root().get(ROOT), ROOT, ConfigProblems.OBJECT);
        } catch (com.typesafe.config.ConfigException e) {
            report(e, problems);
        }
        throw problems.toException();
    }

    private static void report(com.typesafe.config.ConfigException e, ConfigProblems problems) {
        boolean io = e instanceof com.typesafe.config.ConfigException.IO && e.getCause() != null;
        String message = io ? e.getCause().getMessage() : e.getMessage();
        ConfigOrigin origin = e.origin();
        if (origin == null) {
            problems.add("command line or environment", 0, message);
        } else {
            problems.add(origin, ScalarReader.shown(message.replace(origin.description() + ": ", ""), 200));
        }
    }

    private static GatewayConfig check(ConfigObject root, ConfigProblems problems) {
        new DefaultsCheck(problems).check(root, ROOT);
        ConfigObject complete = NamedDefaults.apply(root);
        GatewayConfig config = new ConfigBinder(problems).bind(GatewayConfig.class, complete, ROOT);
        new CrossChecks(complete, problems).check(config);
        if (!problems.isEmpty()) {
            throw problems.toException();
        }
        return config;
    }

    /** Other roots are the user's own variables, but "sluce" is not. */
    private static void reportMisspeltRoot(Config parsed, ConfigProblems problems) {
        for (Map.Entry<String, ConfigValue> entry : parsed.root().entrySet()) {
            int distance = ConfigProblems.distance(entry.getKey(), ROOT);
            if (distance > 0 && distance <= 2 || entry.getKey().startsWith(ROOT + '.')) {
                problems.add(entry.getValue().origin(), "%s: unknown key (expected: %s)"
                        .formatted(ConfigUtil.quoteString(entry.getKey()), ROOT));
            }
        }
    }
}
