package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Messages of many MiB, which a larger {@code max-body} lets in. */
class LargeMessageIT {
    private static final int SIZE = 8 << 20;

    @Test
    void isNeitherValidatedNorCopiedOnAnEventLoop() throws Exception {
        try (var gateway = RunningGateway.start("""
                sluice.server.worker-threads = 1
                sluice.topics.large {}
                sluice.routes.publish {
                  path = "/{topic}", handler = publish, topics = large, max-body = 64MiB
                }
                """)) {
            byte[] body = "ü".repeat(SIZE / 2).getBytes(StandardCharsets.UTF_8);
            gateway.loopBudget().requireBelow(Duration.ofMillis(5), () ->
                    assertThat(publish(gateway, body)).isEqualTo(200));
            assertThat(publish(gateway, Arrays.copyOf(body, SIZE - 1))).isEqualTo(400);
        }
    }

    private static int publish(RunningGateway gateway, byte[] body) throws Exception {
        return gateway.send(gateway.request("/a").POST(BodyPublishers.ofByteArray(body))).statusCode();
    }
}
