package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gateways that share topics through a Redis, and publish what is in the outbox of a PostgreSQL. */
final class Nodes implements AutoCloseable {

    private static final Variant VARIANT = new Variant("node", Map.of());
    /** Creates the outbox; a gateway that did so later would not start while the database is slow. */
    private static final Variant FIRST = VARIANT.with(
            "sluice.databases.shop.init-script", "sluice-outbox.sql");

    private final Workbench bench;
    private final RedisProcess redis;
    private final OutboxDatabase database;
    private final ConfigFile config;
    private final CopyOnWriteArrayList<ServerProcess> gateways = new CopyOnWriteArrayList<>();

    private Nodes(Workbench bench, RedisProcess redis, OutboxDatabase database) throws IOException {
        this.bench = bench;
        this.redis = redis;
        this.database = database;
        config = ConfigFile.of("nodes.conf", "sluice.buses.redis.url = \"%s\"".formatted(redis.url()),
                "sluice.databases.shop.url = \"%s\"".formatted(database.url()));
    }

    /** Starts all; blocks until the gateways serve. */
    static Nodes start(Workbench bench, int count) throws IOException, SQLException, InterruptedException {
        var redis = RedisProcess.start(true);
        var nodes = new Nodes(bench, redis, OutboxDatabase.start());
        try {
            for (int number = 0; number < count; number++) {
                nodes.gateways.add(bench.start(nodes.config, number == 0 ? FIRST : VARIANT));
            }
            return nodes;
        } catch (IOException | InterruptedException | RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    /** The port of a gateway; numbers beyond the last begin anew. */
    int port(int number) {
        return gateways.get(number % gateways.size()).port();
    }

    RedisProcess redis() {
        return redis;
    }

    OutboxDatabase database() {
        return database;
    }

    /** Kills the first gateway (SIGKILL). */
    void killNode() {
        gateways.getFirst().kill();
    }

    /** Starts the first gateway again; blocks until it serves, on another port. */
    void restartNode() throws IOException, InterruptedException {
        gateways.getFirst().close();
        gateways.set(0, bench.start(config, VARIANT));
    }

    @Override
    public void close() throws IOException {
        gateways.forEach(ServerProcess::close);
        config.close();
        redis.close();
        database.close();
    }
}
