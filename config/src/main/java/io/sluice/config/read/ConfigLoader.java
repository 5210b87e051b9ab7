package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import io.sluice.config.check.CrossChecks;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import io.sluice.config.type.FileState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Loads a configuration. The command line overrides the environment, which overrides the file, which
 * overrides {@code reference.conf}.
 */
public final class ConfigLoader {
    static final String ROOT = "sluice";
    /** Resources are loaded by the class loader of this class, regardless of the calling thread. */
    private static final ConfigParseOptions OPTIONS = ConfigParseOptions.defaults()
            .setClassLoader(ConfigLoader.class.getClassLoader());
    private static final Config DEFAULTS = ConfigFactory.parseResources("reference.conf", OPTIONS);

    private final Map<String, String> overrides;
    private final Plugins plugins;

    /**
     * Creates a loader without plug-ins.
     *
     * @param overrides values by full keys; keys that do not begin with {@code sluice.} are ignored
     */
    public ConfigLoader(Map<String, String> overrides) {
        this(overrides, Plugins.NONE);
    }

    /** Creates a loader for routes with handlers and filters of plug-ins. */
    public ConfigLoader(Map<String, String> overrides, Plugins plugins) {
        this.plugins = plugins;
        this.overrides = overrides.entrySet().stream().filter(e -> e.getKey().startsWith(ROOT + '.'))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Loads a file. Blocks.
     *
     * @throws ConfigException with every mistake in it
     */
    public LoadedConfig load(Path file) {
        FileState state = FileState.of(file);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            var problems = new ConfigProblems();
            problems.add("", 0, "%s: no such file, or not readable (expected: a HOCON file)".formatted(file));
            throw problems.toException(Map.of(file, state));
        }
        return load(file.toString(), new LinkedHashMap<>(Map.of(file, state)),
                options -> ConfigFactory.parseFile(inFolder(file).toFile(), options));
    }

    /** Typesafe Config finds no file beside one whose name has no folder. */
    private static Path inFolder(Path file) {
        return file.getParent() == null ? Path.of(".").resolve(file) : file;
    }

    /**
     * Loads a file from the class path, such as {@code demo.conf}.
     *
     * @throws ConfigException with every mistake in it
     */
    public LoadedConfig loadResource(String name) {
        return load(name, new LinkedHashMap<>(), options -> ConfigFactory.parseResources(name, options));
    }

    /**
     * Loads a file or resource.
     *
     * @param files gets the state of each further file before that is read
     */
    private LoadedConfig load(String source, Map<Path, FileState> files,
                              Function<ConfigParseOptions, Config> parser) {
        var problems = new ConfigProblems();
        var includes = new RequiredIncludes(source, files, problems);
        try {
            Config parsed = parser.apply(OPTIONS.setAllowMissing(false).setIncluder(includes));
            checkRootKeys(parsed, problems);
            Config environment = ConfigFactory.systemEnvironmentOverrides();
            checkRootKeys(environment, problems);
            Config written = ConfigFactory.parseMap(overrides, "command line")
                    .withFallback(environment)
                    .withFallback(parsed);
            problems.locateIn(source, written.root());
            Config delivered = DEFAULTS.withFallback(plugins.defaults());
            Config merged = written.withFallback(delivered).resolve();
            ConfigValue section = merged.root().get(ROOT);
            if (section instanceof ConfigObject root) {
                var defaults = new DefaultSections(root, Hocon.object(delivered.root().get(ROOT)), plugins);
                return check(root, defaults, source, files, problems);
            }
            if (section != null) {
                problems.wrong(section, ROOT, ConfigProblems.OBJECT);
            }
        } catch (com.typesafe.config.ConfigException e) {
            report(e, problems);
        }
        throw problems.toException(files);
    }

    private static void report(com.typesafe.config.ConfigException e, ConfigProblems problems) {
        Throwable cause = e instanceof com.typesafe.config.ConfigException.IO ? e.getCause() : null;
        String message = String.valueOf((cause == null ? e : cause).getMessage());
        ConfigOrigin origin = e.origin();
        if (origin == null) {
            problems.add("command line or environment", 0, message);
        } else {
            problems.add(origin, ValueText.shown(message.replace(origin.description() + ": ", ""), 200));
        }
    }

    private LoadedConfig check(ConfigObject root, DefaultSections defaults, String source,
                               Map<Path, FileState> files, ConfigProblems problems) {
        var binder = new ConfigBinder(root, defaults, plugins, problems);
        new DefaultsCheck(defaults, binder, problems).check(ROOT);
        var sql = new SqlFiles(Path.of(source), files, problems);
        ConfigObject complete = sql.addTo(new NamedDefaults(defaults, plugins).complete(root));
        GatewayConfig config = binder.bind(GatewayConfig.class, complete, ROOT);
        if (config != null) {
            new CrossChecks(problems, ROOT, root, complete).check(config);
        }
        if (config == null || !problems.isEmpty()) {
            throw problems.toException(files);
        }
        return new LoadedConfig(config, files, new EffectiveConfig(config, complete));
    }

    /** Root keys are variables of the user, unless "sluice" is misspelt or missing before a key of it. */
    private static void checkRootKeys(Config parsed, ConfigProblems problems) {
        Set<String> keys = new HashSet<>(DefaultSections.rootKeys());
        keys.addAll(DEFAULTS.getObject(ROOT).keySet()); // the defaults of what is further inside, too
        parsed.root().forEach((key, value) -> {
            int distance = ConfigProblems.distance(key.toLowerCase(Locale.ROOT), ROOT);
            boolean misspelt = !key.equals(ROOT) && distance <= 2 || key.startsWith(ROOT + '.');
            if (misspelt || keys.contains(key)) {
                problems.add(value.origin(), "%s: unknown key (expected: %s)".formatted(
                        ConfigUtil.quoteString(key), misspelt ? ROOT : ROOT + '.' + key));
            }
        });
    }
}
