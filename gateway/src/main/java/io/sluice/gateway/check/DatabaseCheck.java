package io.sluice.gateway.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import io.sluice.config.read.LoadedConfig;
import io.sluice.handlers.query.QueryHandler;
import io.sluice.handlers.session.LocalSettings;
import io.sluice.offload.jdbc.InitScript;
import io.sluice.offload.jdbc.StatementCheck;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Checks the statements of query routes against their databases. Blocks. */
public final class DatabaseCheck {
    /** A database that each process has for itself: it begins empty. */
    private static final String OWN = "jdbc:h2:mem:";

    private static final String DEFAULTS = "reference.conf:";

    private final LoadedConfig loaded;

    public DatabaseCheck(LoadedConfig loaded) {
        this.loaded = loaded;
    }

    /** Adds the mistakes of all databases, unreachable ones among them. */
    public void addTo(ConfigProblems problems) {
        loaded.config().databases().forEach((name, database) -> check(name, database,
                database.url().text().startsWith(OWN), _ -> true, problems));
    }

    /**
     * Adds the mistakes of one database of a running gateway.
     *
     * @param routes tells of each route, by its name, whether to check it
     * @return whether the statements were checked, not only some for want of a connection
     */
    boolean addTo(ConfigProblems problems, String database, Predicate<String> routes) {
        DatabaseConfig config = Objects.requireNonNull(loaded.config().databases().get(database));
        return check(database, config, false, routes, problems);
    }

    private boolean check(String name, DatabaseConfig database, boolean runScripts, Predicate<String> routes,
                          ConfigProblems problems) {
        String path = ConfigProblems.child("sluice.databases", name);
        try (StatementCheck check = StatementCheck.connect(database,
                LocalSettings.constants(database.session().local())::apply)) {
            if (runScripts) {
                runScripts(database, path + ".init-script", check, problems);
            }
            for (Map.Entry<String, RouteConfig> route : loaded.config().routes().entrySet()) {
                if (route.getValue().handler() instanceof HandlerConfig.Query query
                        && query.database().equals(name) && routes.test(route.getKey())) {
                    check(route.getKey(), route.getValue(), query, check, problems);
                }
            }
            return true;
        } catch (SQLException e) {
            add(problems, path + ".url", path, 1, ValueText.masked(String.valueOf(e.getMessage())));
            return false;
        }
    }

    private void runScripts(DatabaseConfig database, String path, StatementCheck check,
                            ConfigProblems problems) {
        for (String script : database.initScript().orElse(Set.of())) {
            try {
                check.run(InitScript.read(script));
            } catch (IOException | SQLException e) {
                add(problems, path, path, 1, script + ": " + e.getMessage());
            }
        }
    }

    private void check(String name, RouteConfig route, HandlerConfig.Query query, StatementCheck check,
                       ConfigProblems problems) throws SQLException {
        for (var checked : QueryHandler.checked(query, route.path()).entrySet()) {
            for (var mistake : check.mistakes(checked.getValue())) {
                String path = ConfigProblems.child("sluice.routes", name) + '.'
                        + (mistake.key() == null ? checked.getKey() : mistake.key());
                boolean isDefault = loaded.effective().origin(path).startsWith(DEFAULTS);
                String key = isDefault ? ConfigProblems.child("sluice.routes", name) + ".sql" : path;
                boolean isInFile = !loaded.effective().origin(path + "-file").isEmpty();
                String message = isInFile || mistake.line() == 1 ? mistake.message()
                        : "line " + mistake.line() + ": " + mistake.message();
                add(problems, key, path, isInFile ? mistake.line() : 1, message);
            }
        }
    }

    /** Adds a mistake in a line of a value, from 1. */
    private void add(ConfigProblems problems, String key, String path, int line, String message) {
        loaded.effective().report(problems, key, line, path + ": " + message);
    }
}
