package io.sluice.gateway.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies of many rows, over HTTP/2; those over HTTP/1.1 are in QueryBulkContract. */
class BulkUploadIT {
    private static final int PIECE = 16 * 1024;

    /** 3 MB: most of it is stored on disk. */
    @Test
    void rowsArriveAsTheWindowAllows() throws Exception {
        byte[] rows = IntStream.range(0, 30_000)
                .mapToObj(i -> "{\"id\":" + i + ",\"name\":\"" + "n".repeat(80) + "\"}")
                .collect(Collectors.joining(",", "[", "]")).getBytes(US_ASCII);
        try (var gateway = RunningGateway.start("""
                sluice {
                  offload.pools.one { workers = 1, queue-limit = 1, deadline = 2m }
                  databases.h2 { url = "jdbc:h2:mem:uploads;MODE=PostgreSQL", pool = one, user = sluice
                    init-script = "bulk-upload.sql" }
                  routes {
                    rows { path = /rows, methods = [POST], handler = query, database = h2, deadline = 2m
                      max-body = 8MiB, bulk {}, sql = "INSERT INTO uploaded (id, name) VALUES (:id, :name)"
                      parameters { id { type = long, from = body }, name { type = text, from = body } } }
                    count { path = /count, handler = query, database = h2, single = true
                      sql = "SELECT COUNT(*) AS n FROM uploaded" }
                  }
                }
                """); FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.post(1, "/rows"));
            long ofStream = 65_535;
            for (int at = 0; at < rows.length; at += PIECE) {
                int length = Math.min(PIECE, rows.length - at);
                while (ofStream < length) { // that of the connection is larger than all rows
                    Frame frame = client.read();
                    if (frame.is(Frame.WINDOW_UPDATE)) {
                        ofStream += frame.stream() == 1 ? frame.number() : 0;
                    }
                }
                ofStream -= length;
                client.send(FrameClient.data(1, at + length == rows.length,
                        new String(rows, at, length, US_ASCII)));
            }

            assertThat(client.answer(1).body()).isEqualTo("{\"rows\":30000}");
            client.send(FrameClient.get(3, "/count"));
            assertThat(client.answer(3).body()).isEqualToIgnoringCase("{\"n\":30000}");
        }
    }
}
