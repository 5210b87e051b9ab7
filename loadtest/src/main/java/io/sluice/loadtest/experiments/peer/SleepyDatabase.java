package io.sluice.loadtest.experiments.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;

/**
 * An H2 in this process whose query sleeps, as in the gateway's, behind HikariCP as it comes: the gateway has
 * that pool, too, so that what differs is the server.
 */
public final class SleepyDatabase {

    /** How many connections there are, and so how many queries at a time. */
    public static final int CONNECTIONS = 10;

    private final HikariDataSource connections;

    private SleepyDatabase(HikariDataSource connections) {
        this.connections = connections;
    }

    /** Starts it. */
    public static SleepyDatabase start() throws SQLException {
        var h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:sleepy;DB_CLOSE_DELAY=-1");
        h2.setUser("sluice");
        var hikari = new HikariConfig();
        hikari.setDataSource(h2);
        hikari.setMaximumPoolSize(CONNECTIONS);
        var pool = new HikariDataSource(hikari);
        try (var connection = pool.getConnection(); var statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS sleep FOR '%s.sleep'".formatted(Nap.class.getName()));
        }
        return new SleepyDatabase(pool);
    }

    /** Waits for a connection, and then for the query. */
    Answer sleep(long millis) throws SQLException {
        try (var connection = connections.getConnection();
                var query = connection.prepareStatement("SELECT sleep(?) AS slept")) {
            query.setLong(1, millis);
            try (var row = query.executeQuery()) {
                row.next();
                return Answer.json("{\"slept\":" + row.getString(1) + '}');
            }
        }
    }
}
