package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.http1.EmbeddedGateway;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestObserverTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /** The listener meters and logs requests. Its failure must not affect the connection. */
    @Test
    void aConnectionGoesOnWhateverItsListenerThrows() {
        try (var gateway = new EmbeddedGateway(EmbeddedGateway.config(Map.of()), _ -> {
            throw new StackOverflowError("thrown by a test");
        }, route("/", exchange -> exchange.eventLoop().execute(() -> answer(exchange, "hello"))))) {
            gateway.receive(GET).receive(GET);

            assertThat(gateway.sent()).containsPattern("(?s)^HTTP/1.1 200 .*hello.*HTTP/1.1 200 .*hello$");
        }
    }
}
