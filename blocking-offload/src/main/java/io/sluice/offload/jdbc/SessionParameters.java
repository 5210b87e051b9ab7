package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.Secret;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The fixed settings of a session as parameters of PostgreSQL's driver. They are part of the login, so they
 * cost no round trip, and are what RESET returns to. PgBouncer refuses them instead of losing them.
 */
final class SessionParameters {

    private SessionParameters() {
    }

    /**
     * Returns the parameters; none for other databases.
     *
     * @param user the name that the database shows unless the configuration has one
     */
    static Map<String, String> of(DatabaseConfig config, String user) {
        if (!config.isFor("postgresql")) {
            return Map.of();
        }
        SessionConfig session = config.session();
        var parameters = new HashMap<String, String>();
        parameters.put("ApplicationName", session.applicationName().orElse(user));
        var options = new StringBuilder();
        session.role().ifPresent(role -> add(options, "role", role));
        session.searchPath().ifPresent(path -> add(options, "search_path", path.stream()
                .map(SessionParameters::quoted).collect(Collectors.joining(","))));
        session.statementTimeout().ifPresent(time ->
                add(options, "statement_timeout", String.valueOf(time.toMillis())));
        if (session.readOnly()) {
            add(options, "default_transaction_read_only", "on");
        }
        if (!options.isEmpty()) {
            Secret others = config.properties().get("options");
            parameters.put("options", (others == null ? "" : others.text()) + options);
        }
        return Map.copyOf(parameters);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Adds an option; the server ends it at a space without a backslash. */
    private static void add(StringBuilder options, String name, String value) {
        options.append(" -c ").append(name).append('=')
                .append(value.replaceAll("([\\\\\\s])", "\\\\$1"));
    }
}
