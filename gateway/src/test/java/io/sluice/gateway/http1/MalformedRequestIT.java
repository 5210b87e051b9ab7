package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedRequestIT {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(r|n|t|\\\\|x..)");
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/collect", exchange -> exchange.readBody(
                        body -> answer(exchange, body.toString(StandardCharsets.UTF_8)))),
                route("/post", Set.of(Method.POST), Duration.ofSeconds(9), exchange -> answer(exchange, "")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource
    void isRefusedAndTheConnectionClosed(int status, String name, String request) throws IOException {
        try (RawClient client = server.connect()) {
            client.send(request + "GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertRefused(client, status, request.startsWith("HEAD"));
        }
    }

    static Stream<Arguments> isRefusedAndTheConnectionClosed() throws IOException {
        return rows("/malformed-requests.txt");
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("isRefusedAndTheConnectionClosed")
    void isRefusedByteByByteToo(int status, String name, String request) throws IOException {
        try (RawClient client = server.connect()) {
            for (char c : request.toCharArray()) {
                client.send(String.valueOf(c));
            }

            assertRefused(client, status, request.startsWith("HEAD"));
        }
    }

    /** Chunks of responses obey the same rules, but trailers that must not be trailers are dropped. */
    @Test
    void itsChunksAreRefusedInResponses() throws IOException {
        String request = "POST /collect HTTP/1.1\r\nHost: a\r\n";
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        List<String> names = new ArrayList<>();
        List<String> responses = new ArrayList<>();
        rows("/malformed-requests.txt").map(Arguments::get)
                .filter(row -> ((String) row[2]).startsWith(request + chunked)).forEach(row -> {
                    names.add((String) row[1]);
                    responses.add("HTTP/1.1 200 OK\r\n" + ((String) row[2]).substring(request.length()));
                });
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.circuit.failures = 1000", ByteOrigin.playing(
                origin -> {
                    for (String asked = origin.request(); asked != null; asked = origin.request()) {
                        origin.send(responses.get(Integer.parseInt(asked.split("[/ ]")[2])));
                    }
                }))) {
            assertThat(names).hasSizeGreaterThan(100).allSatisfy(name -> {
                RawClient.Answer answer = proxy.get("/" + names.indexOf(name));
                assertThat(answer.status()).isEqualTo(name.startsWith("the trailer ") ? 200 : 502);
                assertThat(answer.trailers()).isEmpty();
            });
        }
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource
    void isAnsweredAndTheConnectionKept(int status, String name, String request) throws IOException {
        try (RawClient client = server.connect()) {
            assertAnswered(client.send(request), request, status);
            assertAnswered(client.send(request + request), request, status);
            assertAnswered(client, request, status);
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.isClosed()).isTrue();
        }
    }

    static Stream<Arguments> isAnsweredAndTheConnectionKept() throws IOException {
        return rows("/answered-requests.txt");
    }

    @Test
    void aClientThatStaysIsDisconnectedAllTheSame() throws IOException {
        try (RawClient client = server.connect()) {
            await().until(() -> server.connections().count() == 1);
            assertRefused(client.send("hello\r\n"), 400);

            await().until(() -> server.connections().count() == 0);
        }
    }

    static void assertRefused(RawClient client, int status) throws IOException {
        assertRefused(client, status, false);
    }

    private static void assertRefused(RawClient client, int status, boolean head) throws IOException {
        RawClient.Answer answer = head ? client.readHead() : client.read();
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.header("Date")).endsWith("GMT");
        assertThat(answer.header("Server")).isEqualTo("sluice");
        assertThat(head ? answer.body().isEmpty() : answer.body().contains("\"status\":" + status)
                && answer.body().contains(answer.header("X-Request-Id"))).isTrue();
        assertThat(client.isClosed()).isTrue();
    }

    private static void assertAnswered(RawClient client, String request, int status) throws IOException {
        RawClient.Answer answer = request.startsWith("HEAD") ? client.readHead() : client.read();
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Connection")).isNull();
        assertThat(answer.header("Allow") != null).isEqualTo(status == 405 || status == 204);
    }

    private static Stream<Arguments> rows(String resource) throws IOException {
        try (InputStream file = MalformedRequestIT.class.getResourceAsStream(resource)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 3))
                    .map(row -> Arguments.of(Integer.parseInt(row[0]), row[1], unescaped(row[2])));
        }
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(match -> switch (match.group(1).charAt(0)) {
            case 'r' -> "\r";
            case 'n' -> "\n";
            case 't' -> "\t";
            case 'x' -> Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1).substring(1), 16)));
            default -> "\\\\";
        });
    }
}
