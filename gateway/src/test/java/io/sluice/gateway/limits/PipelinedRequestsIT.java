package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Clients that each pipeline 100,000 minimal requests and read no answer. */
class PipelinedRequestsIT {
    private static final int CLIENTS = 100;
    private static final String GET = "GET / HTTP/1.1\r\nHost:a\r\n\r\n";
    private static final byte[] REQUESTS = GET.repeat(100_000).getBytes(StandardCharsets.US_ASCII);

    @Test
    void unreadPipelinedRequestsHoldLittleMemory() throws Exception {
        try (var gateway = GatewayProcess.start("""
                sluice.server.send-buffer = 16KiB
                sluice.routes.hello { path = "/", handler = text, text = hello }
                """, "-Xmx40m", "-XX:MaxDirectMemorySize=128m", "-XX:+ExitOnOutOfMemoryError");
                var _ = new StubbornClients(gateway.port(), CLIENTS, REQUESTS);
                var other = new RawClient(gateway.port())) {
            assertThat(other.send(GET).read().body()).isEqualTo("hello");
            assertThat(gateway.output()).doesNotContain("OutOfMemory");
        }
    }
}
