package io.sluice.gateway.http;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.gateway.http1.EmbeddedGateway;
import io.sluice.gateway.net.ConnectionEvent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that are informed of a shortage of memory. */
class MemoryShortTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final EmbeddedGateway gateway = new EmbeddedGateway(EmbeddedGateway.config(Map.of()),
            route("/**", exchange -> answer(exchange, "hello")));

    @AfterEach
    void close() {
        gateway.close();
        assertThat(gateway.memory()).isZero();
    }

    /** An idle connection stays open, since its next request may be in flight and would get no answer. */
    @ParameterizedTest
    @ValueSource(strings = {"", GET, GET + GET})
    void stayOpenBetweenRequests(String before) {
        gateway.receive(before).memoryIsShort();
        assertThat(gateway.isOpen()).isTrue();

        String already = gateway.sent();
        assertThat(gateway.receive(GET).sent().substring(already.length())).startsWith("HTTP/1.1 200 ");
    }

    /** Each connection occupies some of the heap. */
    @ParameterizedTest
    @ValueSource(strings = {"", GET})
    void endBetweenRequestsIfItIsTheHeap(String before) {
        assertThat(gateway.receive(before).memoryIsShort(true).receive("").isOpen()).isFalse();
    }

    @Test
    void stayOpenIfTheyAreUsedMeanwhile() {
        assertThat(gateway.memoryIsShort(true).receive(GET).isOpen()).isTrue();
        assertThat(gateway.memoryIsShort(true).receive("").isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HT", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n"})
    void answerTheBeginningOfARequest(String part) {
        assertThat(gateway.receive(part).memoryIsShort().sent())
                .startsWith("HTTP/1.1 503 ").containsIgnoringCase("connection: close\r\n");
        assertThat(gateway.receive("X: ").isOpen()).isFalse();
    }

    @Test
    void closeWhereTheProtocolIsNotKnown() {
        var channel = new EmbeddedChannel(new PrefaceDetector(null, null));
        channel.writeInbound(Unpooled.copiedBuffer("PRI * ", StandardCharsets.US_ASCII));

        channel.pipeline().fireUserEventTriggered(new ConnectionEvent.MemoryShort(false));

        assertThat(channel.isOpen()).isFalse();
    }
}
