package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.net.Transport;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads of rows during a shortage of direct memory. */
@Isolated
class UploadMemoryIT {
    private static final int LENGTH = 30_000;

    /** The rest completes the body, or leaves it a byte short. */
    @ParameterizedTest
    @ValueSource(ints = {LENGTH - 1, LENGTH - 2})
    void memoryShortageRefusesAndReleasesUploads(int rest) throws Exception {
        try (var gateway = RunningGateway.start("""
                sluice {
                  offload.pools.one { workers = 1, queue-limit = 1, deadline = 10s }
                  databases.h2 { url = "jdbc:h2:mem:", pool = one, user = sluice }
                  routes.rows { path = /rows, methods = [POST], handler = query, database = h2, bulk {}
                    sql = "DELETE FROM rows WHERE id = :id", parameters.id { type = long, from = body } }
                }
                """); RawClient client = gateway.connect()) {
            long before = Transport.ALLOCATOR.pinnedDirectMemory();
            client.send("POST /rows HTTP/1.1\r\nHost: a\r\nContent-Length: " + LENGTH + "\r\n\r\n[");
            await().until(() -> Transport.ALLOCATOR.pinnedDirectMemory() > before);
            try (var _ = new ShortMemory()) {
                client.send(" ".repeat(rest));
                assertThat(client.read().status()).isEqualTo(503);
            }
            await().until(() -> Transport.ALLOCATOR.pinnedDirectMemory() <= before);
        }
    }
}
