package io.sluice.loadtest.experiments.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.sql.SQLException;

/**
 * Reads items of a PostgreSQL by their primary key: {@code /rows/{id}}. It uses HikariCP by itself, as a
 * service without the gateway would: that is what the gateway is compared with.
 */
public final class ItemDatabase implements Queries {

    private static final String BY_ID = "SELECT id, name, price FROM items WHERE id = ?";

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

    @Override
    public Answer answer(QueryStringDecoder uri) throws SQLException {
        try (var connection = connections.getConnection();
                var query = connection.prepareStatement(BY_ID)) {
            query.setLong(1, Long.parseLong(uri.path().substring("/rows/".length())));
            try (var row = query.executeQuery()) {
                row.next();
                return Answer.json("{\"id\":" + row.getLong(1) + ",\"name\":\"" + row.getString(2)
                        + "\",\"price\":" + row.getBigDecimal(3) + '}');
            }
        }
    }
}
