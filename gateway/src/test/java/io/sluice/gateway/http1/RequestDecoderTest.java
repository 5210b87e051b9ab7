package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ServerConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of the request line and headers, which do not depend on the pieces that a request arrives in. */
class RequestDecoderTest {
    private static final ServerConfig CONFIG = EmbeddedGateway.config(Map.of(
            "sluice.server.max-request-line", "64", "sluice.server.max-header-block", "256"));

    @ParameterizedTest
    @CsvSource({"49, 0, 0, 200", "50, 0, 0, 414", "51, 0, 0, 414", "0, 246, 0, 200", "0, 247, 0, 431",
        "0, 248, 0, 431", "49, 246, 0, 200", "0, 0, 252, 200", "0, 0, 253, 431", "0, 0, 254, 431"})
    void limitsHoldForAnyFragmentation(int path, int value, int extension, int status) {
        String chunked = "POST /" + "a".repeat(path) + " HTTP/1.1\r\nHost: a\r\nX: " + "b".repeat(value)
                + "\r\n\r\n";
        String request = extension == 0 ? chunked : "POST / HTTP/1.1\r\nHost: a\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5;" + "c".repeat(extension) + "\r\nhello\r\n0\r\n\r\n";
        for (int length = 1; length <= request.length(); length++) {
            try (var gateway = new EmbeddedGateway(CONFIG, RequestFuzzTest.collect(64))) {
                FuzzedRequests.cut(request, List.of(length)).forEach(gateway::receive);

                assertThat(SentResponses.of(gateway.sent()).statuses()).as("in pieces of %d bytes", length)
                        .containsExactly(status);
            }
        }
    }
}
