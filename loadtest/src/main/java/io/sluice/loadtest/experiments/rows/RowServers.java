package io.sluice.loadtest.experiments.rows;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.JdbcServer;
import io.sluice.loadtest.experiments.server.RowDatabase;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.TomcatServer;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The servers that are compared, with the same responses from one database. */
record RowServers(RowDatabase database, ConfigFile config) implements AutoCloseable {

    static final Variant PLATFORM = Variant.platformPool();
    static final Variant VIRTUAL = Variant.virtualPool();
    static final Variant BARE = new Variant("bare JDBC", Map.of());
    static final Variant TOMCAT = new Variant("Tomcat", Map.of());
    static final List<Variant> ALL = List.of(PLATFORM, VIRTUAL, BARE, TOMCAT);

    private static final JdbcServer.Threads THREADS = new JdbcServer.Threads(2, 10);

    /** Starts the database. */
    static RowServers start() throws IOException, SQLException {
        var database = RowDatabase.start();
        return new RowServers(database,
                ConfigFile.of("rows.conf", "sluice.databases.rows.url = \"%s\"".formatted(database.url())));
    }

    /** Starts a server; returns when it serves. */
    ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException {
        var url = Optional.of(database.url());
        if (variant.equals(BARE)) {
            return ServerProcess.startJdbc(variant, THREADS, url);
        }
        return variant.equals(TOMCAT)
                ? ServerProcess.startTomcat(variant, TomcatServer.Threads.PLATFORM, url)
                : bench.start(config, variant);
    }

    @Override
    public void close() throws IOException {
        config.close();
        database.close();
    }
}
