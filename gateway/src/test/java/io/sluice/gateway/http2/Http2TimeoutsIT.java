package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Timeouts of HTTP/2 connections without requests. */
class Http2TimeoutsIT {
    private static final Duration LONGER = Duration.ofSeconds(1);
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.withClock(Map.of("sluice.server.timeouts.first-head", "300ms",
                        "sluice.server.timeouts.head", "300ms", "sluice.server.timeouts.idle", "300ms"),
                route("/", exchange -> answer(exchange, "hello")),
                route("/never", _ -> { }),
                route("/later", exchange -> exchange.eventLoop().schedule(
                        () -> answer(exchange, "later"), 1800, TimeUnit.MILLISECONDS)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void connectionWithoutRequestsIsClosed() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            server.pass(LONGER);
            assertThat(client.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void idleConnectionIsClosedDespitePings() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.assertAlive(1);
            client.send(Frame.ping());
            server.pass(LONGER);

            assertThat(client.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void connectionWithAnUnfinishedFrameIsClosed() throws IOException {
        byte[] frame = get(3, "/").bytes();
        try (FrameClient client = FrameClient.connect(server)) {
            client.assertAlive(1);
            client.socket().send(Arrays.copyOf(frame, frame.length - 1));
            server.pass(LONGER);

            assertThat(client.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void connectionWithAnUnfinishedHeadIsClosedDespiteOtherStreams() throws IOException {
        byte[] block = FrameClient.block(FrameClient.request("GET", "/"));
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/never"), new Frame(Frame.HEADERS, Frame.END_STREAM, 3, block));
            server.pass(LONGER);

            assertThat(client.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void connectionWithAnUnfinishedPingIsClosed() throws IOException {
        byte[] ping = Frame.ping().bytes();
        try (FrameClient client = FrameClient.connect(server)) {
            client.assertAlive(1);
            server.pass(Duration.ofMillis(200));
            client.socket().send(Arrays.copyOf(ping, 4));
            server.pass(LONGER);

            assertThat(client.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void connectionWithARunningRequestStaysOpen() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/later"));
            server.pass(Duration.ofSeconds(2));

            assertThat(client.answer(1).body()).isEqualTo("later");
        }
    }
}
