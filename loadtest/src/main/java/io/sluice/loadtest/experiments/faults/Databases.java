package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.server.RowDatabase;
import java.io.IOException;
import java.sql.SQLException;

/** Two PostgreSQL servers with the same rows behind one proxy; one is the primary. */
public final class Databases implements AutoCloseable {

    private static final String RELOAD = "SELECT pg_reload_conf()";

    private final DatabaseProxy proxy;
    private RowDatabase primary;
    private RowDatabase standby;

    private Databases(DatabaseProxy proxy, RowDatabase primary, RowDatabase standby) {
        this.proxy = proxy;
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts both; blocks until they accept connections. */
    public static Databases start() throws IOException, SQLException {
        var primary = RowDatabase.start();
        try {
            return new Databases(new DatabaseProxy(primary.port()), primary, RowDatabase.start());
        } catch (IOException | SQLException e) {
            primary.close();
            throw e;
        }
    }

    DatabaseProxy proxy() {
        return proxy;
    }

    String url() {
        return RowDatabase.url(proxy.port());
    }

    /**
     * Makes the standby the primary, which gets new connections. Existing connections stay with the old one,
     * which is read-only from now on.
     */
    void failOver() throws SQLException {
        standby.execute("ALTER SYSTEM RESET default_transaction_read_only", RELOAD);
        proxy.target(standby.port());
        primary.execute("ALTER SYSTEM SET default_transaction_read_only = on", RELOAD);
        var old = primary;
        primary = standby;
        standby = old;
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.close();
        } finally {
            primary.close();
            standby.close();
        }
    }
}
