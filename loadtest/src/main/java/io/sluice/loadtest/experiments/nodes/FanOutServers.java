package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.BareTopicServer;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.WebSocketWire;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The servers of one topic, and the Redis between them.
 *
 * @param config of the gateways
 * @param redis empty for one server
 */
record FanOutServers(ConfigFile config, List<ServerProcess> servers, Optional<RedisProcess> redis)
        implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 50;

    /** The kinds of servers. */
    enum Kind {
        GATEWAY("ours, one node", 1),
        BARE("bare Netty, one node", 1),
        GATEWAYS("ours, two nodes", 2),
        BARES("bare Netty with Lettuce, two nodes", 2);

        private final String title;
        private final int nodes;

        Kind(String title, int nodes) {
            this.title = title;
            this.nodes = nodes;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** Starts them; blocks until each accepts WebSockets on a path. */
    static FanOutServers start(Workbench bench, Kind kind, String path)
            throws IOException, InterruptedException {
        var redis = kind.nodes > 1 ? Optional.of(RedisProcess.start(false)) : Optional.<RedisProcess>empty();
        var all = new FanOutServers(config(redis), new ArrayList<>(), redis);
        try {
            var variant = new Variant(kind.title, Map.of());
            for (int node = 0; node < kind.nodes; node++) {
                all.servers.add(kind == Kind.GATEWAY || kind == Kind.GATEWAYS
                        ? bench.start(all.config, variant)
                        : BareTopicServer.start(variant, redis.map(RedisProcess::url)));
                awaitTopic(all.port(node), path);
            }
            return all;
        } catch (IOException | InterruptedException | RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private static ConfigFile config(Optional<RedisProcess> redis) throws IOException {
        return redis.isEmpty() ? ConfigFile.of("websocket.conf")
                : ConfigFile.of("websocket.conf", "sluice.topics.demo.bus = redis",
                        "sluice.buses.redis.url = \"%s\"".formatted(redis.get().url()));
    }

    /** Waits until a WebSocket is accepted: a gateway serves before it is connected to Redis. */
    private static void awaitTopic(int port, String path) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (var wire = Wire.open("127.0.0.1", port, 0, new Traffic())) {
                WebSocketWire.open(wire, path, false);
                return;
            } catch (WebSocketWire.ClosedException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    /** The port of a node; numbers beyond the last begin anew. */
    int port(int node) {
        return servers.get(node % servers.size()).port();
    }

    /** The number of nodes. */
    int count() {
        return servers.size();
    }

    /** The CPU time of each node so far, and then of Redis, if there is one. */
    List<Duration> processorTimes() {
        var times = new ArrayList<>(servers.stream().map(ServerProcess::processorTime).toList());
        redis.ifPresent(server -> times.add(server.processorTime()));
        return times;
    }

    @Override
    public void close() throws IOException {
        servers.forEach(ServerProcess::close);
        config.close();
        if (redis.isPresent()) {
            redis.get().close();
        }
    }
}
