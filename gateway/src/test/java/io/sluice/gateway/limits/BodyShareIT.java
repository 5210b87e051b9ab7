package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
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

    @Test
    void incompleteMessagesOfOneClientLeaveMemoryToOthers() throws Exception {
        byte[] handshake = MemoryShortIT.HANDSHAKE.getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[1_000_000]; // without its last bytes
        ByteBuffer.wrap(frame).put((byte) 0x82).put((byte) 0xFF).putLong(frame.length);
        try (var gateway = GatewayProcess.start("""
                sluice.routes {
                  hello { path = "/", handler = text, text = hello }
                  ws { path = "/ws", handler = ws-echo }
                }
                """, "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
                RawClient neighbour = from("127.0.0.2", gateway.port())) {
            neighbour.send(handshake).readHead();
            neighbour.send(Arrays.copyOf(frame, 100_000));
            try (var _ = new StubbornClients(gateway.port(), 100, handshake, frame)) {
                await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(15))
                        .until(() -> get(gateway.port()) == 200); // while the clients stay
            }
            neighbour.send(new byte[frame.length + 14 - 100_000]);
            assertThat(neighbour.read(2)).as("a frame of 64 bits of length").isEqualTo("\u0082\u007f");
            assertThat(gateway.output()).doesNotContain("memory is short");
        }
    }

    private static int get(int port) throws IOException {
        try (RawClient neighbour = from("127.0.0.2", port)) {
            return neighbour.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().status();
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
