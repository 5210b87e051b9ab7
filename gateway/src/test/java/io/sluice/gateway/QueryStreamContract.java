package io.sluice.gateway;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.net.Transport;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Contract of results that are larger than any buffer. */
interface QueryStreamContract extends QuerySubject {
    /**
     * The upper bound of memory for an answer: the 128 KiB watermark of a connection and a few pieces in
     * flight.
     */
    long ONE_ANSWER = 512 * 1024;

    private static long pinned() {
        return Transport.ALLOCATOR.pinnedDirectMemory() + Transport.ALLOCATOR.pinnedHeapMemory();
    }

    @Test
    default void aLargeAnswerToASlowReaderTakesLittleMemory() throws Exception {
        long before = pinned();
        try (RawClient client = gateway().connect()) {
            client.send("GET /one/many HTTP/1.1\r\nHost: x\r\n\r\n");
            await().pollInterval(ofMillis(10)).until(() -> pinned() > before + 64 * 1024);
            await().pollInterval(ofMillis(10)).during(ofSeconds(1))
                    .until(() -> pinned() < before + ONE_ANSWER);

            RawClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("transfer-encoding")).isEqualTo("chunked");
            assertThat(answer.header("row-limit")).isEqualTo("1000000");
            String body = answer.body();
            assertThat(body)
                    .startsWith("[{\"n\":1,\"name\":\"row number 1\","
                            + "\"t\":\"2026-01-31T10:00:00\",\"half\":0.5},")
                    .endsWith("{\"n\":200000,\"name\":\"row number 200000\","
                            + "\"t\":\"2026-01-31T10:00:00\",\"half\":100000.0}]");
            assertThat(JSON.readTree(body).size()).isEqualTo(200_000);

            assertThat(client.send("GET /one/quick HTTP/1.1\r\nHost: x\r\n\r\n").read().body())
                    .isEqualTo("[{\"ok\":1}]");
        }
    }

    @Test
    default void aReaderSlowerThanTheDeadlineIsCutOffAndTheWorkerIsFreeLongBefore() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /one/wide-soon HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.socket().getInputStream().read()).isEqualTo('H');

            await().until(() -> gateway().get("/one/quick").statusCode() == 200);
            await().until(() -> gateway().getAdmin("/metrics").body().lines()
                    .anyMatch(line -> line.startsWith("http_server_requests_seconds_count")
                            && line.contains("status=\"504\",uri=\"/one/wide-soon\"")));

            assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    default void aClientThatGoesAwayInTheMiddleOfAnAnswerSetsTheWorkerFree() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /one/many HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.socket().getInputStream().read()).isEqualTo('H');
        }

        await().until(() -> gateway().get("/one/quick").statusCode() == 200);
    }
}
