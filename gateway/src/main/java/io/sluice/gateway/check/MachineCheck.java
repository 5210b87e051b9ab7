package io.sluice.gateway.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.read.LoadedConfig;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.type.WritableDirectory;
import io.sluice.gateway.tls.Certificates;
import io.sluice.gateway.tls.EndpointTls;
import io.sluice.gateway.tls.TlsException;
import io.sluice.offload.jdbc.InitScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that this machine has what a configuration names: usable files of TLS, directories, SQL scripts and
 * JDBC drivers. Connects to nothing and changes nothing. Blocks.
 */
public final class MachineCheck {
    private final LoadedConfig loaded;
    /** The configuration in effect; null at a start. */
    private final @Nullable GatewayConfig former;
    private final ConfigProblems problems = new ConfigProblems();

    /** Checks of one part of the configuration, which may find that files of TLS cannot be used. */
    @FunctionalInterface
    private interface TlsCheck {
        void run() throws TlsException;
    }

    private MachineCheck(LoadedConfig loaded, @Nullable GatewayConfig former) {
        this.loaded = loaded;
        this.former = former;
    }

    /**
     * Checks a configuration for a start.
     *
     * @throws ConfigException with everything that is missing
     */
    public static void check(LoadedConfig loaded) {
        check(loaded, null);
    }

    /**
     * Checks a configuration for a reload. Certificates, upstreams, buses, databases with their pools, and
     * routes of files stay in use if they do not change, even if their files have gone.
     *
     * @param former the configuration in effect; null at a start
     * @throws ConfigException with everything that is missing
     */
    public static void check(LoadedConfig loaded, @Nullable GatewayConfig former) {
        var check = new MachineCheck(loaded, former);
        check.checkAll(loaded.config());
        if (!check.problems.isEmpty()) {
            throw check.problems.toException();
        }
    }

    private void checkAll(GatewayConfig config) {
        Optional<WritableDirectory> spill = config.offload().spill().directory();
        if (former == null && spill.isPresent() && !spill.get().isWritable()) {
            wrong("sluice.offload.spill.directory", spill.get(),
                    "a directory that is there and can be written to");
        }
        boolean changesTls = former == null || !config.tls().equals(former.tls());
        if (changesTls && config.tls().enabled()) {
            checkTls(() -> Certificates.check(config.tls()));
        }
        for (Map.Entry<String, UpstreamConfig> upstream : config.upstreams().entrySet()) {
            if (former == null || changesTls
                    || !upstream.getValue().equals(former.upstreams().get(upstream.getKey()))) {
                checkTls(() -> new EndpointTls(upstream.getKey(), upstream.getValue(), config.tls()).close());
            }
        }
        config.buses().forEach((name, bus) -> {
            if (former == null || !bus.equals(former.buses().get(name))) {
                String path = ConfigProblems.child("sluice.buses", name);
                checkPassword(bus.passwordFile(), path);
                checkTls(() -> EndpointTls.check(path + ".tls", bus.tls()));
            }
        });
        config.databases().forEach((name, database) -> {
            if (former == null || !database.equals(former.databases().get(name))
                    || !Objects.equals(config.offload().pools().get(database.pool()),
                            former.offload().pools().get(database.pool()))) {
                checkDatabase(database, ConfigProblems.child("sluice.databases", name));
            }
        });
        for (Map.Entry<String, RouteConfig> route : config.routes().entrySet()) {
            if (route.getValue().handler() instanceof HandlerConfig.Files files
                    && (former == null || !route.getValue().equals(former.routes().get(route.getKey())))
                    && !isReadableDirectory(files.directory())) {
                wrong(ConfigProblems.child("sluice.routes", route.getKey()) + ".directory",
                        files.directory(), "a directory that is there and can be read");
            }
        }
    }

    private void checkTls(TlsCheck check) {
        try {
            check.run();
        } catch (TlsException e) {
            String message = String.valueOf(e.getMessage());
            loaded.effective().report(problems, message.substring(0, message.indexOf(": ")), 1, message);
        }
    }

    private void checkPassword(Optional<ReadableFile> file, String path) {
        if (file.isPresent() && !file.get().isReadable()) {
            wrong(path + ".password-file", file.get(), "a file that is there and can be read");
        }
    }

    private static boolean isReadableDirectory(String name) {
        try {
            return Files.isDirectory(Path.of(name)) && Files.isReadable(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void checkDatabase(DatabaseConfig database, String path) {
        checkPassword(database.passwordFile(), path);
        for (String script : database.initScript().orElse(Set.of())) {
            try {
                InitScript.read(script);
            } catch (IOException | InvalidPathException e) {
                wrong(path + ".init-script", script,
                        "a file with SQL in UTF-8 that can be read, or a resource of the class path");
            }
        }
        try {
            checkProperties(database, path, DriverManager.getDriver(database.url().text()));
        } catch (SQLException e) {
            wrong(path + ".url", database.url(), "jdbc:postgresql:…, jdbc:h2:…, or another whose driver is "
                    + "a jar in the directory SLUICE_PLUGINS");
        }
    }

    /** Checks the names of properties, if the driver tells those it has: it would ignore a misspelt one. */
    private void checkProperties(DatabaseConfig database, String path, Driver driver) throws SQLException {
        List<String> known = Arrays.stream(driver.getPropertyInfo(database.url().text(), new Properties()))
                .map(property -> property.name).toList();
        for (String property : database.properties().keySet()) {
            if (!known.isEmpty() && !known.contains(property)) {
                String key = ConfigProblems.child(path + ".properties", property);
                loaded.effective().report(problems, key, 1, "%s: unknown to the driver (expected: %s)"
                        .formatted(key, ConfigProblems.oneOf(property, known)));
            }
        }
    }

    private void wrong(String key, Object value, String expected) {
        loaded.effective().report(problems, key, 1, "%s: %s (expected: %s)".formatted(key, value, expected));
    }
}
