package io.sluice.gateway.proxy;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.sluice.gateway.HandlerServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies whose chunks have one byte each, of which a read of an event loop holds thousands. */
class SmallChunksIT {
    /** The limit of CPU time, twice the bound of a task, as these processors are shared. */
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int CHUNKS = 100_000;
    private static final String BODY = "1\r\nx\r\n".repeat(CHUNKS) + "0\r\n\r\n";

    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();

    /** Otherwise the detector, which records a stack for each slice, takes most of the time. */
    @BeforeAll
    static void detectFewLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    }

    @AfterAll
    static void detectAllLeaks() {
        ResourceLeakDetector.setLevel(LEVEL);
    }

    @Test
    void ofRequestsLetOthersHaveTheirTurn() throws Exception {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + BODY;
        try (var server = HandlerServer.start(route("/", exchange -> exchange.readBody(
                body -> answer(exchange, String.valueOf(body.readableBytes())))));
                var client = server.connect()) {
            server.loopBudget().requireBelow(BUDGET, () ->
                    assertThat(client.send(request).read().body()).isEqualTo("" + CHUNKS));
        }
    }

    @Test
    void ofResponsesLetOthersHaveTheirTurn() throws Exception {
        String response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + BODY;
        try (var proxy = ProxyBed.start(ByteOrigin.answering(response)); var client = proxy.connect()) {
            proxy.gateway().loopBudget().requireBelow(BUDGET, () ->
                    assertThat(client.send(ProxyBed.request("GET", "/")).read().body())
                            .isEqualTo("x".repeat(CHUNKS)));
        }
    }
}
