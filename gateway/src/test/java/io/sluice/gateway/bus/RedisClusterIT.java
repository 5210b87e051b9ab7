package io.sluice.gateway.bus;

import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.BusServer;
import io.sluice.handlers.topic.PresenceOnBusContract;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bus contract on a cluster of one node, which announces its slots and has sharded channels. */
class RedisClusterIT extends PresenceOnBusContract {
    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.startCluster();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void clear() throws Exception {
        server.startEmpty(); // also behind a test that has failed while it was stopped
    }

    @Override
    protected BusServer server() {
        return server;
    }

    @Test
    void aMasterWithoutAnAddressIsTheServerThatWasAsked() throws Exception {
        server.command("CONFIG SET cluster-preferred-endpoint-type unknown-endpoint");
        try (Bus bus = server.connect()) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> bus.state().connected());
        } finally {
            server.command("CONFIG SET cluster-preferred-endpoint-type ip");
        }
    }
}
