package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients while others have taken the memory for requests. */
class Http2RoomIT {
    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final EmbeddedChannel others = new EmbeddedChannel();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(Map.of("sluice.http2.max-resets", "20"),
                route("/", exchange -> answer(exchange, "hello")), route("/wait", waiting::add));
    }

    @AfterEach
    void stop() {
        others.close();
        server.close();
    }

    private void takeAllMemory() {
        new RequestMemory(others, () -> null).take((int) RequestMemory.limit() + 4 * 1024);
    }

    /** The refusals are no fault of this client, and do not end its connection. */
    @Test
    void eachConnectionMayHaveOneStream() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            takeAllMemory();
            client.send(get(1, "/wait"));
            await().until(() -> waiting.size() == 1);
            for (int stream = 3; stream < 70; stream += 2) {
                client.send(get(stream, "/wait"));
                assertThat(client.resetOf(stream)).isEqualTo(Frame.REFUSED_STREAM);
            }
            answer(waiting.remove(), "done");
            assertThat(client.answer(1).body()).isEqualTo("done");
            client.assertAlive(71);
        }
        assertThat(waiting).isEmpty();
    }

    @Test
    void newConnectionsAreClosedWithTheReason() throws IOException {
        takeAllMemory();
        try (FrameClient client = FrameClient.open(new RawClient(server.port()).send(FrameClient.PREFACE))) {
            client.send(Frame.settings(), get(1, "/"));
            assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
        others.close();
        try (FrameClient client = FrameClient.connect(server)) {
            client.assertAlive(1);
        }
    }
}
