package io.sluice.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tls.TestCertificates;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The CPU time of the longest event-loop task for an event of many MiB, which TLS encrypts. */
@Timeout(180)
class LongEventIT {
    private static final int ROWS = 150;
    private static final int SIZE = 80_000;
    private static final byte[] GET = "GET /rows HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    @Test
    void isSentInShortTasks(@TempDir Path folder) throws Exception {
        try (var gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  tls { %s, provider = OPENSSL }
                  topics.news {}
                  offload.pools.one { workers = 1, queue-limit = 10, deadline = 60s }
                  databases.h2 { url = "jdbc:h2:mem:", pool = one, user = sluice }
                  routes.rows { path = /rows, handler = query, database = h2
                    live { topics = news, topic = rows, max-size = 16MiB }
                    sql = "SELECT RPAD('', %d, 'x') AS a FROM SYSTEM_RANGE(1, %d)" }
                }
                """.formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST), SIZE, ROWS));
                Socket first = connect(gateway)) {
            readEvent(first); // the result is kept for the others
            gateway.loopBudget().requireBelow(Duration.ofMillis(5), () -> {
                try (Socket client = connect(gateway)) {
                    readEvent(client);
                }
            });
        }
    }

    private static Socket connect(RunningGateway gateway) throws Exception {
        return TestCertificates.client().getSocketFactory().createSocket("localhost", gateway.tlsPort());
    }

    private static void readEvent(Socket client) throws IOException {
        client.getOutputStream().write(GET);
        byte[] some = new byte[64 * 1024];
        int left = ROWS * SIZE; // letters
        while (left > 0) {
            int read = client.getInputStream().read(some);
            assertThat(read).isPositive();
            for (int i = 0; i < read; i++) {
                left -= some[i] == 'x' ? 1 : 0;
            }
        }
    }
}
