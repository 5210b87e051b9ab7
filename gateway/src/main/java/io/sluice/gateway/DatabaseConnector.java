package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.InitScript;
import java.io.IOException;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connects the new databases of a site and runs the scripts that the previous site has not run there.
 *
 * @param configBefore the configuration of the previous site; null at the start
 */
record DatabaseConnector(GatewayConfig config, @Nullable GatewayConfig configBefore,
                         ResourceSet<Database> databases) {

    /**
     * Connects one after the other, as two of them may be one database with different users. Blocks.
     *
     * @throws StartException if a database cannot be used
     */
    void connect() throws StartException {
        Map<String, Resource<Database>> started = databases.started();
        for (Map.Entry<String, Resource<Database>> entry : started.entrySet()) {
            requireDriver(entry.getKey());
            entry.getValue().object().connect(entry.getValue().meters().registry());
        }
        for (Map.Entry<String, Resource<Database>> entry : started.entrySet()) {
            for (String script : scripts(entry.getKey())) {
                run(script, entry.getKey());
            }
            entry.getValue().object().open();
        }
    }

    /**
     * Returns the scripts to run. If only other settings than the URL have changed, the database has the
     * results of the previous site's scripts.
     */
    private Set<String> scripts(String database) {
        DatabaseConfig now = Resources.named(database, config.databases());
        DatabaseConfig before = configBefore == null ? null : configBefore.databases().get(database);
        var scripts = new LinkedHashSet<>(now.initScript().orElse(Set.of()));
        if (before != null && before.url().equals(now.url())) {
            scripts.removeAll(before.initScript().orElse(Set.of()));
        }
        return scripts;
    }

    /** Fails if no driver accepts the URL. The message omits the URL, which may contain a password. */
    private void requireDriver(String database) throws StartException {
        DatabaseConfig used = Resources.named(database, config.databases());
        try {
            requireProperties(database, used, DriverManager.getDriver(used.url().text()));
        } catch (SQLException e) {
            throw new StartException(("sluice.databases.%s.url: no driver for it (expected: "
                    + "jdbc:postgresql:…, jdbc:h2:…, or another whose driver is on the class path)")
                    .formatted(database), e);
        }
    }

    /** Fails if the driver tells its properties and has no such: it would ignore one that is misspelt. */
    private static void requireProperties(String name, DatabaseConfig database, Driver driver)
            throws StartException, SQLException {
        List<String> known = Arrays.stream(driver.getPropertyInfo(database.url().text(), new Properties()))
                .map(property -> property.name).toList();
        for (String property : database.properties().keySet()) {
            if (!known.isEmpty() && !known.contains(property)) {
                throw new StartException(("sluice.databases.%s.properties.%s: unknown to the driver "
                        + "(expected: %s)").formatted(name, property,
                        ConfigProblems.oneOf(property, known)), null);
            }
        }
    }

    private void run(String script, String database) throws StartException {
        try {
            Resources.named(database, databases.objects()).runScript(InitScript.read(script));
        } catch (IOException | SQLException e) {
            throw new StartException("sluice.databases.%s.init-script: %s: %s"
                    .formatted(database, script, e.getMessage()), e);
        }
    }
}
