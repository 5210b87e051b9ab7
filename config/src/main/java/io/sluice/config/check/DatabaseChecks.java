package io.sluice.config.check;

import com.typesafe.config.ConfigObject;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.TokenConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.session.SettingSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks relations between the keys of a database. */
final class DatabaseChecks {
    /** A setting of PostgreSQL; those of users have a dot. */
    private static final Pattern SETTING = Pattern.compile("[A-Za-z_][\\w$]*(\\.[A-Za-z_][\\w$]*)*");
    private static final List<String> OF_POSTGRES =
            List.of("application-name", "role", "search-path", "statement-timeout", "local");
    /** Keys that have keys of the database in their place. */
    private static final Map<String, String> INSTEAD = Map.of("user", "user", "password", "password",
            "ApplicationName", "session.application-name");

    /** The name by which SET ROLE returns to the login's own role. */
    private static final String NO_ROLE = "none";

    private DatabaseChecks() {
    }

    /** Checks a database; the tokens may be null. */
    static void check(DatabaseConfig database, Map<String, TokenConfig> tokens, Setting at) {
        if (at.at("password-file").isSet() && at.at("password").isSet() && !at.at("password").isDefault()) {
            at.at("password-file").wrong("either password or password-file");
        }
        if (database.properties() != null) {
            INSTEAD.forEach((property, key) -> {
                if (database.properties().containsKey(property)) {
                    at.at("properties").at(property).wrongSecret("the key " + key + " in its place");
                }
            });
        }
        if (database.url() != null && database.session() != null) {
            checkSession(database, database.session(), at);
            if (tokens != null && tokens.containsKey(NO_ROLE)) {
                refuseRoleOf(database.session(), at.at("session").at("local"));
            }
        }
    }

    /** With {@code SET ROLE none}, a caller would have all rights of the login. */
    private static void refuseRoleOf(SessionConfig session, Setting local) {
        if (session.local() != null) {
            session.local().forEach((name, source) -> {
                if (name.equalsIgnoreCase("role") && source != null
                        && source.kind() == SettingSource.Kind.CALLER) {
                    local.at(name).wrong(source, "no token of the name none beside it, as that is no role");
                }
            });
        }
    }

    /** Checks {@code read-only} of a query; the databases may be null. */
    static void checkReadOnly(HandlerConfig.Query query, Setting at, Map<String, DatabaseConfig> databases) {
        if (!query.readOnly()) {
            return;
        }
        if (query.sql() != null) {
            query.sql().change().ifPresent(change -> at.wrong("true", "a statement that only reads, not "
                    + change));
        }
        DatabaseConfig database = known(databases, query.database());
        if (database != null && database.isFor("h2")) {
            at.wrong("true", "false: H2 has no read-only transactions");
        }
    }

    /** Checks keys of a query for errors of PostgreSQL alone; the databases may be null. */
    static void checkErrors(HandlerConfig.Query query, Setting at, Map<String, DatabaseConfig> databases) {
        DatabaseConfig database = known(databases, query.database());
        if (database == null || database.isFor("postgresql")) {
            return;
        }
        if (query.constraints() != null && !query.constraints().isEmpty()) {
            at.at("constraints").wrong("{ … }", "none: only errors of PostgreSQL name a constraint");
        }
        if (query.showRaise()) {
            at.at("show-raise").wrong("true", "false: only PostgreSQL has RAISE");
        }
    }

    /** Returns a database; null if it or its URL is missing, so that its product is unknown. */
    static @Nullable DatabaseConfig known(@Nullable Map<String, DatabaseConfig> databases,
                                          @Nullable String name) {
        DatabaseConfig database = databases == null || name == null ? null : databases.get(name);
        return database == null || database.url() == null ? null : database;
    }

    private static void checkSession(DatabaseConfig database, SessionConfig session, Setting at) {
        Setting there = at.at("session");
        if (!database.isFor("postgresql")) {
            OF_POSTGRES.stream().map(there::at)
                    .filter(key -> key.isSet() && !(key.path().endsWith(".local") && isEmpty(session)))
                    .forEach(DatabaseChecks::onlyPostgres);
            if (session.readOnly()) {
                onlyPostgres(there.at("read-only"));
            }
            return;
        }
        if (session.readOnly() && database.initScript() != null && database.initScript().isPresent()) {
            at.at("init-script").wrong("none, as session.read-only = true");
        }
        if (hasOptions(session) && database.url().text().contains("options=")) {
            there.wrongSecret("no options= in the url, which would replace these");
        }
        if (session.local() != null) {
            session.local().forEach((name, source) -> checkLocal(name, source, there.at("local").at(name)));
        }
    }

    private static boolean isEmpty(SessionConfig session) {
        return session.local() == null || session.local().isEmpty();
    }

    /** Returns whether settings are sent as options of the login. */
    private static boolean hasOptions(SessionConfig session) {
        return session.role().isPresent() || session.searchPath().isPresent()
                || session.statementTimeout().isPresent() || session.readOnly();
    }

    private static void onlyPostgres(Setting key) {
        key.wrong(key.nearest() instanceof ConfigObject ? "{ … }" : key.text(),
                "none: only for a url that begins with jdbc:postgresql:, others have properties");
    }

    private static void checkLocal(String name, SettingSource source, Setting at) {
        if (!SETTING.matcher(name).matches()) {
            at.wrong(name, "the name of a setting, such as app.user");
        }
        boolean isIdentity = List.of("role", "session_authorization").contains(name.toLowerCase(Locale.ROOT));
        if (isIdentity && source != null && source.kind() == SettingSource.Kind.HEADER) {
            at.wrong(source, "caller or a text: clients choose their headers");
        }
    }
}
