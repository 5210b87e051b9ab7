package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with a timeout. PostgreSQL's driver implements a login timeout by leaving the login to a
 * thread that reads without one; so reads have a timeout, too, until the connection is established.
 */
public final class DatabaseLogin implements DataSource {
    /** The longest wait of PostgreSQL's driver until the server has taken a cancel request. */
    static final Duration CANCEL_WAIT = Duration.ofSeconds(1);
    private static final String SOCKET_TIMEOUT = "socketTimeout";
    private static final String LAZY = "LAZY_QUERY_EXECUTION";
    private static final String CLOSE = "DB_CLOSE_ON_EXIT";
    private static final long SECOND = TimeUnit.SECONDS.toMillis(1);
    /**
     * Types that PostgreSQL's driver reads differently, or not at all, in binary format; numeric, since its
     * text needs no conversion to become JSON.
     */
    private static final String ALWAYS_AS_TEXT = "timetz,oid_array,point,box,numeric";

    private final DatabaseConfig config;
    private final Map<String, String> session;
    /** Set by HikariCP, which also waits for so many seconds when it closes. */
    private volatile int loginTimeout;

    /**
     * Logs in to a database by its configuration.
     *
     * @param user the part of this gateway that the connections are for, shown by the database unless the
     *     configuration names another one
     */
    public DatabaseLogin(DatabaseConfig config, String user) {
        this.config = config;
        session = SessionParameters.of(config, user);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return open(session);
    }

    /**
     * Opens a connection, which the caller closes, without the settings of sessions. Blocks.
     *
     * @param parameters of PostgreSQL's driver; those of the URL override them
     */
    public Connection open(Map<String, String> parameters) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", password());
        if (config.isFor("postgresql")) {
            return openPostgres(properties, parameters);
        }
        if (config.isFor("h2")) {
            setH2(properties);
        }
        if (config.isFor("mariadb")) {
            setMariadb(properties);
        }
        config.properties().forEach((key, value) -> properties.setProperty(key, value.text()));
        Connection connection = configured(connect(properties));
        return config.isFor("mariadb") ? withoutReadTimeout(connection) : connection;
    }

    /** Sets properties of H2 that neither the URL nor the configured ones do. */
    private void setH2(Properties properties) {
        String own = (config.url().text() + config.properties().keySet()).toUpperCase(Locale.ROOT);
        if (!own.contains(LAZY)) {
            properties.setProperty(LAZY, "TRUE"); // else H2 collects all rows before it returns the first
        }
        if (!own.contains(CLOSE) && !own.contains("AUTO_SERVER")) { // which excludes it
            properties.setProperty(CLOSE, "FALSE"); // else a file is closed by SIGTERM, during the drain
        }
    }

    /**
     * Sets properties of MariaDB's driver, which connects for each cancel request and abort, too: these
     * connections keep the timeout of reads.
     */
    private void setMariadb(Properties properties) {
        String millis = String.valueOf(config.connectionTimeout().toMillis());
        properties.setProperty("connectTimeout", millis);
        properties.setProperty(SOCKET_TIMEOUT, millis);
        if (!hasOwnTimeZone()) {
            properties.setProperty("connectionTimeZone", config.timeZone().toString());
            properties.setProperty("forceConnectionTimeZoneToSession", "true");
            properties.setProperty("preserveInstants", "true"); // else offsets are of the JVM's zone
        }
    }

    /** Returns whether properties, or variables among them, name a time zone. */
    private boolean hasOwnTimeZone() {
        Stream<String> properties = config.properties().entrySet().stream()
                .map(property -> property.getKey() + '=' + property.getValue().text());
        return Stream.concat(Stream.of(config.url().text()), properties)
                .anyMatch(text -> text.toLowerCase(Locale.ROOT).replace("_", "").contains("timezone="));
    }

    private Connection openPostgres(Properties properties, Map<String, String> parameters)
            throws SQLException {
        String seconds = String.valueOf(Math.ceilDiv(config.connectionTimeout().toMillis(), SECOND));
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty(SOCKET_TIMEOUT, seconds);
        properties.setProperty("cancelSignalTimeout", String.valueOf(CANCEL_WAIT.toSeconds()));
        properties.setProperty("maxResultBuffer", String.valueOf(config.fetchBuffer().bytes()));
        properties.setProperty("binaryTransferDisable", ALWAYS_AS_TEXT);
        // For bulk imports and steps for each element. Such a batch does not count the rows of its elements.
        properties.setProperty("reWriteBatchedInserts", "true");
        properties.setProperty("socketFactory", BlockingSocketFactory.class.getName());
        if (PostgresDriver.hasNoNames(config)) { // what is not kept loses its name with the next statement
            properties.setProperty("preparedStatementCacheQueries", "0");
        }
        config.properties().forEach((key, value) -> properties.setProperty(key, value.text()));
        properties.putAll(parameters);
        // Parameters of the URL override these.
        return withoutReadTimeout(configured(connect(properties)));
    }

    /** Lets a connection wait for its statements, after the login, unless the configuration limits reads. */
    private Connection withoutReadTimeout(Connection connection) throws SQLException {
        try {
            if (!config.url().text().contains(SOCKET_TIMEOUT + '=')
                    && !config.properties().containsKey(SOCKET_TIMEOUT)) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns the password of the next login, which may have changed in its file. */
    private String password() throws SQLException {
        if (config.passwordFile().isEmpty()) {
            return config.password().text();
        }
        Path file = config.passwordFile().get().path();
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst().orElse("");
        } catch (IOException | UncheckedIOException e) {
            throw new SQLException("password-file " + file + " cannot be read: " + e, e);
        }
    }

    /**
     * Turns the failure to start a thread into that of this login; HikariCP's own thread must not die of it.
     */
    private Connection connect(Properties properties) throws SQLException {
        try {
            return DriverManager.getConnection(config.url().text(), properties);
        } catch (OutOfMemoryError e) {
            throw new SQLException("no connection could be made", e);
        }
    }

    /**
     * Sets the time zone of a session: the JVM's would let two hosts respond differently. PostgreSQL sends no
     * notices from here on, of which its driver would keep all until the end of the statement.
     */
    private Connection configured(Connection connection) throws SQLException {
        boolean postgres = config.isFor("postgresql");
        if (postgres || config.isFor("h2")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TIME ZONE '" + config.timeZone() + '\'');
                if (postgres) { // not in the same message, of which replication may allow one statement only
                    statement.execute("SET client_min_messages = error");
                }
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        // Nothing is written.
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
