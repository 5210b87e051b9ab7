package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed requests: they end their stream, and not the connection. */
class MalformedStreamIT {
    private static final Pattern ESCAPE = Pattern.compile("\\\\x(..)");
    private static HandlerServer server;
    private FrameClient client;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/collect", exchange -> exchange.readBody(body -> answer(exchange, "collected"))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        server.ended().clear();
        client = FrameClient.connect(server);
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void isResetAndTheConnectionGoesOn(String name, String... fields) throws IOException {
        client.send(headers(1, true, fields));

        assertThat(client.resetOf(1)).isEqualTo(Frame.PROTOCOL_ERROR);
        assertCounted();
        client.assertAlive(3);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rowsWithoutLength")
    void isResetBeforeItsBodyComesAndThatIsIgnored(String name, String... fields) throws IOException {
        client.send(headers(1, false, fields), data(1, false, "a".repeat(10_000)), data(1, true, "b"),
                Frame.windowUpdate(1, 5), Frame.rst(1, Frame.CANCEL));

        assertThat(client.resetOf(1)).isEqualTo(Frame.PROTOCOL_ERROR);
        client.assertAlive(3);
    }

    static Stream<Arguments> rows() throws IOException {
        try (InputStream file = MalformedStreamIT.class.getResourceAsStream("/malformed-streams.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(line -> line.split(" \\|", 2))
                    .map(row -> Arguments.of(row[0], fields(row[1].replaceFirst(" ", ""))));
        }
    }

    static Stream<Arguments> rowsWithoutLength() throws IOException {
        return rows().filter(row -> !row.get()[0].toString().contains("length"));
    }

    private static String[] fields(String row) {
        if (row.isEmpty()) {
            return new String[0];
        }
        return Arrays.stream(row.replace("{GET}", ":method=GET;:scheme=http;:path=/;:authority=a").split(";"))
                .flatMap(field -> Arrays.stream(field.split("=", 2)))
                .map(text -> ESCAPE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(match.group(1), 16)))))
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "content-length", ":path", "Upper", "connection", "transfer-encoding"})
    void aBodyThatDoesNotEndAsItMustIsReset(String trailer) throws IOException {
        boolean fine = trailer.equals("x");
        client.send(post(1, "/collect"), data(1, false, "a"),
                headers(1, true, fine ? new String[] {trailer, " "} : new String[] {trailer, "5"}));

        if (trailer.equals("content-length")) {
            assertThat(client.answer(1).body()).isEqualTo("collected");
        } else {
            assertThat(client.resetOf(1)).isEqualTo(Frame.PROTOCOL_ERROR);
            assertCounted();
        }
        client.assertAlive(3);
    }

    private static void assertCounted() {
        assertThat(server.ended()).singleElement().extracting(HandlerServer.Ended::status).isEqualTo(400);
    }

    @Test
    void aBodyThatIsShorterOrLongerThanItsLengthIsReset() throws IOException {
        client.send(post(1, "/collect", "content-length", "3"), data(1, true, "ab"));
        client.send(post(3, "/collect", "content-length", "3"), data(3, false, "ab"), data(3, true, "cd"));
        client.send(post(5, "/collect", "content-length", "3"), data(5, false, "ab"),
                headers(5, true, "x", "y"));
        client.send(post(7, "/collect", "content-length", "0"), data(7, true, "a"));

        for (int stream = 1; stream < 9; stream += 2) {
            assertThat(client.resetOf(stream)).as("stream " + stream).isEqualTo(Frame.PROTOCOL_ERROR);
        }
        client.assertAlive(9);
    }

    @Test
    void headersInTheMiddleOfABodyAreReset() throws IOException {
        client.send(post(1, "/collect"), data(1, false, "a"), headers(1, false, "x", "y"));

        assertThat(client.resetOf(1)).isEqualTo(Frame.PROTOCOL_ERROR);
        client.assertAlive(3);
    }

    @Test
    void framesBehindTheEndOfAStreamAreReset() throws IOException {
        client.send(headers(1, true, FrameClient.request("POST", "/collect")), data(1, false, "a"));

        assertThat(client.resetOf(1)).isEqualTo(Frame.STREAM_CLOSED);
        client.assertAlive(3);
    }

    @ParameterizedTest
    @CsvSource({"ftp, 400", "https, 421"})
    void aSchemeThatIsNotHttpIsAnswered(String scheme, int status) throws IOException {
        client.send(headers(1, true, ":method", "GET", ":scheme", scheme, ":path", "/", ":authority", "a"));

        assertThat(client.answer(1).status()).isEqualTo(status);
        client.assertAlive(3);
    }

    @Test
    void connectIsAnsweredWith501() throws IOException {
        client.send(headers(1, false, ":method", "CONNECT", ":authority", "a:80"));

        assertThat(client.answer(1).status()).isEqualTo(501);
        client.assertAlive(3);
    }

    @Test
    void tooLargeFieldsAreAnsweredAndTheNextOnesUnderstood() throws IOException {
        String[] request = FrameClient.request("GET", "/", "x-a", "b".repeat(16_000),
                "x-b", "c".repeat(26_000));
        byte[] block = FrameClient.block(request);
        client.send(new Frame(Frame.HEADERS, Frame.END_STREAM, 1, Arrays.copyOf(block, 16_384)),
                new Frame(Frame.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 16_384, 32_768)),
                new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 1,
                        Arrays.copyOfRange(block, 32_768, block.length)));

        assertThat(client.answer(1).status()).isEqualTo(431);
        client.assertAlive(3);
        String[] many = new String[202];
        Arrays.fill(many, "x");
        client.send(get(9, "/", many));
        assertThat(client.answer(9).status()).isEqualTo(431);
        client.assertAlive(11);
    }

    @Test
    void aPathThatIsTooLongIsAnswered() throws IOException {
        client.send(get(5, "/" + "a".repeat(8192)));
        assertThat(client.answer(5).status()).isEqualTo(414);
        client.assertAlive(7);
    }
}
