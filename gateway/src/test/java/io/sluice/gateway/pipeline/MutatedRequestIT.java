package io.sluice.gateway.pipeline;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.http.EchoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with a few bytes changed, as a fuzzer would: nothing that comes of it is the gateway's fault. */
class MutatedRequestIT {
    private static final Pattern STATUS = Pattern.compile("(?:^|\\n)HTTP/1\\.1 (\\d{3}) ");
    private static final String ODD = "\r\n\t \0:;,/%#?*\\\"=+-_.0159aAfFxX\u007f\u0080\u00ff";
    private static final List<String> PIECES = List.of("\r\n", "\r\n ", "\r\n\r\n", "Host: b\r\n", "HTTP/1.1",
            "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "%2e%2e/",
            "Expect: 100-continue\r\n", "Connection: close\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    private static final String REQUESTS = """
            GET /a/b?c=d HTTP/1.1
            Host: example.com:8080
            X-Request-Id: abc

            POST /echo HTTP/1.1
            Host: a
            Content-Length: 5

            helloPOST /collect HTTP/1.1
            Host: a
            Transfer-Encoding: chunked

            5;a="b"
            hello
            0
            X: y

            OPTIONS * HTTP/1.1
            Host: a

            """.replace("\n", "\r\n");
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/a/{b}", exchange -> answer(exchange,
                        exchange.pathParameter("b") + exchange.queryParameter("c"))),
                route("/echo", new EchoHandler()),
                route("/collect", exchange -> exchange.readBody(
                        body -> answer(exchange, body.toString(StandardCharsets.UTF_8)))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void areAnsweredOrRefusedAndHarmTheConnectionAtMost(int seed) throws IOException {
        var random = new Random(seed);
        for (int i = 0; i < 250; i++) {
            String requests = mutated(REQUESTS, random);
            try (RawClient client = server.connect()) {
                int split = random.nextInt(requests.length());
                client.send(requests.substring(0, split)).send(requests.substring(split));
                client.socket().shutdownOutput();
                String answers = new String(client.socket().getInputStream().readAllBytes(),
                        StandardCharsets.ISO_8859_1);

                assertThat(STATUS.matcher(answers).results().map(match -> match.group(1))).as(requests)
                        .isSubsetOf("100", "200", "204", "400", "404", "405", "413", "417", "501", "505");
                assertThat(answers).as(requests).matches("(?s)|HTTP/1\\.1 .*");
            }
        }
        try (RawClient client = server.connect()) {
            client.send(REQUESTS);
            assertThat(client.read().body()).isEqualTo("bd");
            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.read().status()).isEqualTo(204);
        }
    }

    private static String mutated(String requests, Random random) {
        var text = new StringBuilder(requests);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, ODD.charAt(random.nextInt(ODD.length())));
                case 1 -> text.insert(at, ODD.charAt(random.nextInt(ODD.length())));
                case 2 -> text.deleteCharAt(at);
                case 3 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                default -> text.insert(at, text.substring(at, at + random.nextInt(text.length() - at)));
            }
        }
        return text.toString();
    }
}
