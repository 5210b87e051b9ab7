package io.sluice.gateway.source;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.offload.source.Message;
import io.sluice.offload.source.MessageSink;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A sink that is a table, and so outlives its process. Ignores messages whose key it has already. */
final class PostgresSink implements MessageSink, AutoCloseable {
    private final Connection connection;
    private final String table;
    private int accepted;
    private int haltAfter = Integer.MAX_VALUE;

    PostgresSink(String url, String user, String password, String table) throws SQLException {
        connection = DriverManager.getConnection(url, user, password);
        this.table = table;
    }

    /** Halts the process after so many messages. */
    PostgresSink haltAfter(int messages) {
        haltAfter = messages;
        return this;
    }

    @Override
    public Future<?> accept(Message message) {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING")) {
            insert.setString(1, message.key());
            insert.setBytes(2, message.payload());
            insert.executeUpdate();
        } catch (SQLException e) {
            return ImmediateEventExecutor.INSTANCE.newFailedFuture(e);
        }
        accepted++;
        if (accepted == haltAfter) {
            Runtime.getRuntime().halt(7);
        }
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
