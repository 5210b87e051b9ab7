package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Opens connections, and gives up where nobody answers. PostgreSQL's driver bounds a login by leaving it to
 * a thread that reads for ever; so reads are bounded too, until the connection is there.
 */
final class DatabaseLogin implements DataSource {
    private static final String LAZY = "LAZY_QUERY_EXECUTION";
    private static final long SECOND = TimeUnit.SECONDS.toMillis(1);
    /** Values that PostgreSQL's driver reads in another way, or not at all, when they come as binary. */
    private static final String ALWAYS_AS_TEXT = "timetz,oid_array,point,box";

    private final DatabaseConfig config;
    /** Set by HikariCP, which also waits for so long when it closes. */
    private volatile int loginTimeout;

    DatabaseLogin(DatabaseConfig config) {
        this.config = config;
    }

    @Override
    public Connection getConnection() throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password().text());
        if (isFor("h2", config) && !config.url().text().toUpperCase(Locale.ROOT).contains(LAZY)) {
            properties.setProperty(LAZY, "TRUE"); // or it collects all rows before it hands out the first
        }
        if (!isFor("postgresql", config)) {
            return inTimeZone(connect(properties));
        }
        String seconds = String.valueOf(Math.ceilDiv(config.connectionTimeout().toMillis(), SECOND));
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("cancelSignalTimeout", "1");
        properties.setProperty("maxResultBuffer", String.valueOf(config.fetchBuffer().bytes()));
        properties.setProperty("binaryTransferDisable", ALWAYS_AS_TEXT);
        // What the URL says comes before these.
        Connection connection = inTimeZone(connect(properties));
        try {
            if (!config.url().text().contains("socketTimeout=")) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A thread that cannot be started is an error of this login, not the end of HikariCP's own thread. */
    private Connection connect(Properties properties) throws SQLException {
        try {
            return DriverManager.getConnection(config.url().text(), properties);
        } catch (OutOfMemoryError e) {
            throw new SQLException("no connection could be made", e);
        }
    }

    /** Else it would be the JVM's, and two hosts could answer differently. */
    private Connection inTimeZone(Connection connection) throws SQLException {
        if (isFor("postgresql", config) || isFor("h2", config)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TIME ZONE '" + config.timeZone() + '\'');
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }

    /** Tells whether the driver is that of a kind of database, by its part of the JDBC URL. */
    static boolean isFor(String database, DatabaseConfig config) {
        return config.url().text().startsWith("jdbc:" + database + ':');
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
    public PrintWriter getLogWriter() {
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
