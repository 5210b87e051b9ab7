package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.JdbcServer;
import io.sluice.loadtest.experiments.server.RowDatabase;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers that the experiments with queries compare: plain Netty, whose queries block its threads, and
 * the gateway with its pools.
 *
 * @param config of the gateway
 * @param url of a PostgreSQL; if empty, queries sleep in an H2 within each server
 */
record QueryServers(ConfigFile config, Optional<String> url)
        implements AlternatingRounds.Servers, AutoCloseable {

    /** Queries on the event loops that serve the connections. */
    static final Variant ON_2_LOOPS = new Variant("on 2 event loops", Map.of());
    /** Queries on the event loops, one loop for each connection to the database. */
    static final Variant ON_10_LOOPS = new Variant("on 10 event loops", Map.of());
    /**
     * Netty's {@code addLast(group, handler)}: each connection is bound to one of the group's threads for its
     * lifetime.
     */
    static final Variant PINNED = new Variant("addLast(group of 10)", Map.of());
    static final Variant PLATFORM = Variant.platformPool();
    static final Variant VIRTUAL = Variant.virtualPool();

    /**
     * H2 calls its sleep by reflection. The gateway makes the JVM use native frames for that, to start
     * quickly, and native frames pin a virtual thread while it sleeps.
     */
    private static final Confinement OURS = new Confinement(
            List.of("-Djdk.reflect.useNativeAccessorOnly=false"), 0, Optional.empty());
    private static final Map<Variant, JdbcServer.Threads> BARE = Map.of(
            ON_2_LOOPS, new JdbcServer.Threads(2, 0),
            ON_10_LOOPS, new JdbcServer.Threads(10, 0),
            PINNED, new JdbcServer.Threads(2, 10));

    /** Queries sleep. */
    static QueryServers ofSleepyDatabases() throws IOException {
        return new QueryServers(ConfigFile.of("sleep.conf"), Optional.empty());
    }

    /** Queries read one row. */
    static QueryServers of(RowDatabase database) throws IOException {
        return new QueryServers(
                ConfigFile.of("row.conf", "sluice.databases.rows.url = \"%s\"".formatted(database.url())),
                Optional.of(database.url()));
    }

    @Override
    public ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException {
        var threads = BARE.get(variant);
        return threads == null
                ? bench.start(config, variant, OURS)
                : ServerProcess.startJdbc(variant, threads, url);
    }

    @Override
    public void close() throws IOException {
        config.close();
    }
}
