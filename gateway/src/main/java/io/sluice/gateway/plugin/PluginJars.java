package io.sluice.gateway.plugin;

import io.sluice.config.FilterConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.read.Plugins;
import io.sluice.handlers.Filter;
import io.sluice.handlers.FilterProvider;
import io.sluice.handlers.HandlerProvider;
import io.sluice.handlers.PluginContext;
import io.sluice.handlers.PluginProvider;
import io.sluice.handlers.RouteHandler;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The jars of a directory, and the providers of handlers and filters in them; JDBC drivers are registered
 * with {@link java.sql.DriverManager}. Each jar has a separate class loader, whose parent is Sluice's, open
 * until the process ends: see docs/decisions/0024.
 */
public final class PluginJars {
    /** An empty set of jars. */
    public static final PluginJars NONE = new PluginJars();

    private static final String VARIABLE = "SLUICE_PLUGINS";

    /** The providers, by the names of their configuration records. */
    private final Map<String, PluginProvider<?, ?>> providers = new LinkedHashMap<>();
    private final List<URL> defaults = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private PluginJars() {
    }

    /**
     * Loads the jars of the directory that the environment variable {@code SLUICE_PLUGINS} names; none if it
     * is not set.
     *
     * @throws PluginException with every mistake in the jars
     */
    public static PluginJars ofEnvironment() throws PluginException {
        return named(System.getenv(VARIABLE));
    }

    /**
     * Loads the jars of a directory; none if the name is null or empty, which is not the working directory.
     */
    static PluginJars named(String directory) throws PluginException {
        return directory == null || directory.isEmpty() ? NONE : in(Path.of(directory));
    }

    /**
     * Loads the jars of a directory: the files whose names end with {@code .jar}.
     *
     * @throws PluginException with every mistake in the jars
     */
    public static PluginJars in(Path directory) throws PluginException {
        var jars = new PluginJars();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                jars.load(jar);
            }
        } catch (IOException e) {
            throw new PluginException("%s: %s: cannot be read (expected: a directory with jars of plug-ins)"
                    .formatted(VARIABLE, directory), e);
        }
        if (!jars.problems.isEmpty()) {
            throw new PluginException(String.join("\n", jars.problems), null);
        }
        return jars;
    }

    private void load(Path jar) throws IOException {
        try (var _ = new JarFile(jar.toFile())) { // a class loader would not report an unreadable jar
        } catch (IOException e) {
            problems.add("%s: %s (expected: a whole jar that may be read)".formatted(jar, e));
            return;
        }
        var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, PluginJars.class.getClassLoader());
        URL reference = loader.findResource("reference.conf");
        if (reference != null) {
            defaults.add(reference);
        }
        int before = problems.size();
        boolean handlers = load(jar, HandlerProvider.class, loader, this::add);
        boolean filters = load(jar, FilterProvider.class, loader, this::add);
        boolean drivers = load(jar, Driver.class, loader, JarDriver::register);
        if (!handlers && !filters && !drivers && problems.size() == before) {
            problems.add(("%s: no plug-in in it (expected: META-INF/services/%s, FilterProvider or %s; a "
                    + "library belongs where the Class-Path of its plug-in's manifest names it)")
                    .formatted(jar, HandlerProvider.class.getName(), Driver.class.getName()));
        }
    }

    /** Returns whether the jar has a service. */
    private <T> boolean load(Path jar, Class<T> service, ClassLoader loader, Consumer<T> use) {
        try {
            List<T> found = ServiceLoader.load(service, loader).stream()
                    .filter(provider -> provider.type().getClassLoader() == loader)
                    .map(ServiceLoader.Provider::get).toList();
            found.forEach(use);
            return !found.isEmpty();
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            Throwable cause = e instanceof ServiceConfigurationError ? e.getCause() : null;
            problems.add("%s: %s%s (expected: a plug-in for this version of Sluice, with its libraries)"
                    .formatted(jar, e instanceof ServiceConfigurationError ? e.getMessage() : e,
                            cause == null ? "" : ": " + cause));
            return false;
        }
    }

    private void add(PluginProvider<?, ?> provider) {
        Class<?> config = provider.config();
        String name = Plugins.name(config);
        if (Plugins.reserved().contains(name)) {
            problems.add("%s: the name %s of its %s is Sluice's own (expected: a record with another name)"
                    .formatted(place(provider), name, config.getName()));
            return;
        }
        PluginProvider<?, ?> other = providers.putIfAbsent(name, provider);
        if (other != null) {
            problems.add("%s: the name %s of its %s is that of %s (expected: one of these two jars)"
                    .formatted(place(provider), name, config.getName(), place(other)));
        }
    }

    /** Returns the class and the jar of a provider. */
    private static String place(PluginProvider<?, ?> provider) {
        Class<?> type = provider.getClass();
        return "%s in %s".formatted(type.getName(),
                type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** Returns the configuration records and defaults that the jars add. */
    public Plugins records() {
        var handlers = new ArrayList<Class<? extends HandlerConfig.Plugin>>();
        var filters = new ArrayList<Class<? extends FilterConfig>>();
        for (PluginProvider<?, ?> provider : providers.values()) {
            if (provider instanceof HandlerProvider<?> handler) {
                handlers.add(handler.config());
            } else if (provider instanceof FilterProvider<?> filter) {
                filters.add(filter.config());
            }
        }
        return new Plugins(handlers, filters, defaults);
    }

    /**
     * Creates the handler of a route.
     *
     * @throws PluginException if its provider fails
     */
    public RouteHandler handler(HandlerConfig.Plugin config, PluginContext context) throws PluginException {
        return create((HandlerProvider<?>) provider(config), config, context);
    }

    /**
     * Creates the filters of a route, the first the outermost.
     *
     * @throws PluginException if a provider fails
     */
    public Filter filters(List<FilterConfig> configs, PluginContext context) throws PluginException {
        Filter all = Filter.NONE;
        for (FilterConfig config : configs) {
            all = all.then(create((FilterProvider<?>) provider(config), config, context));
        }
        return all;
    }

    private PluginProvider<?, ?> provider(Object config) {
        PluginProvider<?, ?> provider = providers.get(Plugins.name(config.getClass()));
        if (provider == null) {
            throw new IllegalStateException(config.getClass() + ": no provider (expected: one of "
                    + providers.keySet() + ')');
        }
        return provider;
    }

    private static <C extends Record, T> T create(PluginProvider<C, T> provider, Object config,
                                                  PluginContext context) throws PluginException {
        try {
            return Objects.requireNonNull(provider.create(provider.config().cast(config), context));
        } catch (Exception | LinkageError e) {
            throw new PluginException("%s: %s".formatted(place(provider), e), e);
        }
    }
}
