package io.sluice.gateway.limits;

import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client with more unfinished bodies than there is direct memory, and its neighbour. */
class BodyShareIT {
    @ParameterizedTest
    @CsvSource({"100, 1000000", "1500, 60000"})
    void bodiesOfOneClientLeaveMemoryToOthers(int connections, int length) throws Exception {
        try (var gateway = GatewayProcess.start("""
                sluice {
                  offload.pools.one { workers = 1 }
                  databases.h2 { url = "jdbc:h2:mem:bodies", pool = one, user = sluice }
                  routes.id { path = "/", methods = [POST], handler = query, database = h2, single = true
                    sql = "SELECT CAST(:id AS BIGINT) AS id", parameters.id { type = long, from = body } }
                }
                """, "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError")) {
            byte[] whole = request(length);
            byte[] most = new byte[whole.length - 1];
            System.arraycopy(whole, 0, most, 0, most.length);
            try (var _ = new StubbornClients(gateway.port(), connections, most)) {
                // While the clients stay. What they have sent is read, and garbage collected, meanwhile.
                await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(15))
                        .until(() -> post(whole, gateway.port()) == 200);
            }
        }
    }

    private static int post(byte[] request, int port) throws IOException {
        try (RawClient neighbour = from("127.0.0.2", port)) {
            return neighbour.send(request).read().status();
        }
    }

    private static byte[] request(int length) {
        String body = "{\"id\":1,\"x\":\"" + "x".repeat(length) + "\"}";
        return ("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static RawClient from(String address, int port) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port,
                InetAddress.ofLiteral(address), 0));
    }
}
