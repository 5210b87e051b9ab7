package io.sluice.loadtest.experiments.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.OutputStream;
import java.sql.SQLException;

/**
 * Reads items of a PostgreSQL and inserts orders. It uses HikariCP by itself, as a service without the
 * gateway would: that is what the gateway is compared with. Thread-safe; a call blocks until a connection is
 * free, and then until the statement is complete.
 */
public final class ItemDatabase {

    /** The number of connections, and so of concurrent statements. */
    public static final int CONNECTIONS = 10;

    private static final String BY_ID = "SELECT id, name, price FROM items WHERE id = ?";
    private static final String HUNDRED =
            "SELECT id, name, price FROM items WHERE id > ? ORDER BY id LIMIT 100";
    private static final String TEN_THOUSAND =
            "SELECT id, name, price FROM items WHERE id > ? ORDER BY id LIMIT 10000";
    private static final String INSERT = "INSERT INTO orders (item, quantity) VALUES (?, ?)";
    /** Rows that a connection holds at a time. */
    private static final int FETCHED = 1_000;

    private final HikariDataSource connections;

    private ItemDatabase(HikariDataSource connections) {
        this.connections = connections;
    }

    /** Connects to the database of a JDBC URL. */
    public static ItemDatabase at(String url) {
        var hikari = new HikariConfig();
        hikari.setJdbcUrl(url);
        hikari.setUsername("postgres");
        hikari.setMaximumPoolSize(CONNECTIONS);
        return new ItemDatabase(new HikariDataSource(hikari));
    }

    /** One item by its primary key. */
    Answer item(long id) throws SQLException {
        try (var connection = connections.getConnection();
                var query = connection.prepareStatement(BY_ID)) {
            query.setLong(1, id);
            try (var row = query.executeQuery()) {
                row.next();
                return Answer.json("{\"id\":" + row.getLong(1) + ",\"name\":\"" + row.getString(2)
                        + "\",\"price\":" + row.getBigDecimal(3) + '}');
            }
        }
    }

    /** Writes the 100 items behind an id as JSON. */
    void hundred(long after, OutputStream out) throws SQLException {
        try (var connection = connections.getConnection();
                var query = connection.prepareStatement(HUNDRED)) {
            query.setLong(1, after);
            try (var rows = query.executeQuery()) {
                ItemJson.write(rows, out);
            }
        }
    }

    /**
     * Writes the 10,000 items behind an id as JSON, while a cursor reads them.
     *
     * @param out may block
     */
    void tenThousand(long after, OutputStream out) throws SQLException {
        try (var connection = connections.getConnection()) {
            connection.setAutoCommit(false); // without a transaction, the driver ignores the fetch size
            try (var query = connection.prepareStatement(TEN_THOUSAND)) {
                query.setFetchSize(FETCHED);
                query.setLong(1, after);
                try (var rows = query.executeQuery()) {
                    ItemJson.write(rows, out);
                }
            }
            connection.commit();
        }
    }

    /** Inserts an order. */
    Answer insert(Order order) throws SQLException {
        try (var connection = connections.getConnection();
                var insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, order.item());
            insert.setInt(2, order.quantity());
            return Answer.json("{\"updated\":" + insert.executeUpdate() + '}');
        }
    }
}
