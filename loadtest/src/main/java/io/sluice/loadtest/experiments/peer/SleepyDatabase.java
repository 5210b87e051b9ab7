package io.sluice.loadtest.experiments.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;

/**
 * An H2 in this process whose query sleeps, with the gateway's URL and SQL in {@code sleep.conf}, behind
 * HikariCP with its defaults. The gateway uses the same pool, so that only the servers differ.
 */
public final class SleepyDatabase {

    /** The number of connections, and so of concurrent queries. */
    public static final int CONNECTIONS = 10;

    private static final String URL = "jdbc:h2:mem:sleepy;DB_CLOSE_DELAY=-1;"
            + "INIT=CREATE ALIAS IF NOT EXISTS sleep FOR 'java.lang.Thread.sleep(long,int)'";
    private static final String SLEEP = "SELECT sleep(? - 1, 900000) AS slept";

    private final HikariDataSource connections;

    private SleepyDatabase(HikariDataSource connections) {
        this.connections = connections;
    }

    /** Starts the database. */
    public static SleepyDatabase start() throws SQLException {
        var h2 = new JdbcDataSource();
        h2.setURL(URL);
        h2.setUser("sluice");
        var hikari = new HikariConfig();
        hikari.setDataSource(h2);
        hikari.setMaximumPoolSize(CONNECTIONS);
        return new SleepyDatabase(new HikariDataSource(hikari));
    }

    /** Blocks until a connection is free, and then until the query is complete. */
    Answer sleep(long millis) throws SQLException {
        try (var connection = connections.getConnection(); var query = connection.prepareStatement(SLEEP)) {
            query.setLong(1, millis);
            try (var row = query.executeQuery()) {
                row.next();
                return Answer.json("{\"slept\":" + row.getString(1) + '}');
            }
        }
    }
}
