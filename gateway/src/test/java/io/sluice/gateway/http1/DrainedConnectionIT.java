package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kept-alive connections that are drained. */
class DrainedConnectionIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration MORE_THAN_GRACE = Duration.ofMillis(200);

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void answerARequestWhoseHeadHasBegun(int arrived) throws IOException {
        try (var server = HandlerServer.withClock(Map.of(), route("/", exchange -> answer(exchange, "")));
                RawClient client = server.connect()) {
            client.send(GET).read();
            server.connections().drain(Duration.ZERO);
            client.send(GET.substring(0, arrived));
            server.pass(MORE_THAN_GRACE);

            RawClient.Answer answer = client.send(GET.substring(arrived)).read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Connection")).isEqualTo("close");
        }
    }
}
