package io.sluice.gateway.peer;

import static io.sluice.gateway.peer.ProxyHeaders.binary;
import static io.sluice.gateway.peer.ProxyHeaders.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderIT {
    private static final String ECHO = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String ECHO_FOR =
            "GET /echo HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.9\r\n\r\n";

    private static RunningGateway gateway;
    private static RunningGateway choosy;

    @BeforeAll
    static void start() {
        String config = """
                sluice.server { proxy-protocol = true, trusted-proxies = [%s] }
                sluice.routes.echo { path = "/echo", handler = echo }
                """;
        gateway = RunningGateway.start(config.formatted(""));
        choosy = RunningGateway.start(config.formatted("\"127.0.0.0/8\", 10.0.0.0/8"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        choosy.close();
    }

    private static void assertClient(RawClient client, String expected) throws IOException {
        assertThat(client.read().body()).contains("\"client\":\"" + expected + '"');
    }

    static Stream<Arguments> headers() {
        byte[] unix = new byte[216];
        unix[0] = unix[108] = '/';
        return Stream.of(
                Arguments.of(text("203.0.113.7"), "203.0.113.7"),
                Arguments.of(text("2001:db8::7"), "2001:db8:0:0:0:0:0:7"),
                Arguments.of(latin1("PROXY UNKNOWN\r\n"), "127.0.0.1"),
                Arguments.of(latin1("PROXY UNKNOWN 203.0.113.7 203.0.113.8 1 2\r\n"), "127.0.0.1"),
                Arguments.of(binary("203.0.113.7"), "203.0.113.7"),
                Arguments.of(binary("2001:db8::7"), "2001:db8:0:0:0:0:0:7"),
                Arguments.of(binary("203.0.113.7", extension(4000)), "203.0.113.7"),
                Arguments.of(binary(0x20, 0x00, 0), "127.0.0.1"),
                Arguments.of(binary(0x20, 0x11, 12, new byte[12]), "127.0.0.1"),
                Arguments.of(binary(0x21, 0x00, 3, new byte[3]), "127.0.0.1"),
                Arguments.of(binary(0x21, 0x31, 216, unix), "127.0.0.1"),
                Arguments.of(binary(0x21, 0x12, 12, new byte[12]), "127.0.0.1"));
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns an extension of an unknown type (section 2.2). */
    private static byte[] extension(int length) {
        byte[] extension = new byte[3 + length];
        extension[0] = (byte) 0xEA;
        extension[1] = (byte) (length >> 8);
        extension[2] = (byte) length;
        return extension;
    }

    @ParameterizedTest
    @MethodSource("headers")
    void proxyHeaderSetsTheClientAddress(byte[] header, String client) throws IOException {
        try (RawClient whole = gateway.connect(); RawClient cut = gateway.connect()) {
            byte[] bytes = (new String(header, StandardCharsets.ISO_8859_1) + ECHO + ECHO)
                    .getBytes(StandardCharsets.ISO_8859_1);
            whole.send(bytes);
            assertClient(whole, client);
            assertClient(whole, client);

            for (int i = 0; i < Math.min(bytes.length, 400); i++) {
                cut.send(new byte[] {bytes[i]});
            }
            if (bytes.length > 400) {
                cut.send(new String(bytes, StandardCharsets.ISO_8859_1).substring(400));
            }
            assertClient(cut, client);
        }
    }

    static Stream<byte[]> invalidHeaders() {
        return Stream.of(
                latin1(ECHO),
                latin1("PROXY TCP4 203.0.113.7 203.0.113.8 1\r\n" + ECHO),
                latin1("PROXY TCP4 203.0.113.256 203.0.113.8 1 2\r\n" + ECHO),
                latin1("PROXY TCP4 2001:db8::7 2001:db8::8 1 2\r\n" + ECHO),
                latin1("PROXY TCP6 [2001:db8::7] 2001:db8::8 1 2\r\n" + ECHO),
                latin1("PROXY TCP6 fe80::7%lo 2001:db8::8 1 2\r\n" + ECHO),
                latin1("PROXY TCP4 evil.example 203.0.113.8 1 2\r\n" + ECHO),
                latin1("PROXY TCP4 203.0.113.7 203.0.113.8 1 65536\r\n" + ECHO),
                latin1("PROXY TCP5 203.0.113.7 203.0.113.8 1 2\r\n" + ECHO),
                latin1("proxy TCP4 203.0.113.7 203.0.113.8 1 2\r\n" + ECHO),
                latin1("PROXY  TCP4 203.0.113.7 203.0.113.8 1 2\r\n" + ECHO),
                latin1("nonsense\r\n\r\nPROXY TCP4 203.0.113.7 203.0.113.8 1 2\r\n" + ECHO),
                latin1("PROXY TCP4 " + "1".repeat(200)),
                HexFormat.of().parseHex("160301" + "00".repeat(200)),
                binary(0x11, 0x11, 12, new byte[12]),
                binary(0x22, 0x11, 12, new byte[12]),
                binary(0x21, 0x41, 12, new byte[12]),
                binary(0x21, 0x11, 11, new byte[11]),
                binary(0x21, 0x21, 35, new byte[35]),
                binary("203.0.113.7", new byte[] {0x01, 0x00, 0x09, 0x00}),
                binary(0x21, 0x11, 0xFFFF, new byte[6000]));
    }

    @ParameterizedTest
    @MethodSource("invalidHeaders")
    void connectionWithoutAValidHeaderIsClosed(byte[] bytes) throws IOException {
        assertRefused(gateway, bytes);
    }

    private static void assertRefused(RunningGateway by, byte[] bytes) throws IOException {
        try (RawClient client = by.connect()) {
            client.send(bytes);
            assertThat(client.isClosed()).isTrue();
        } catch (SocketException e) {
            assertThat(e).hasMessageMatching("Connection reset.*|Broken pipe");
        }
    }

    /** See RFC 9110 section 7.4. A reload of {@code proxy-protocol} applies to no connection. */
    @Test
    void httpsTargetOverPlaintextRequiresAProxyHeader() throws Exception {
        String request = "GET https://a/echo HTTP/1.1\r\nHost: a\r\n\r\n";
        for (byte[] header : List.of(text("203.0.113.7"), latin1("PROXY UNKNOWN\r\n"))) {
            try (RawClient client = gateway.connect()) {
                assertThat(client.send(header).send(request).read().status()).isEqualTo(200);
            }
        }
        String plain = "sluice.routes.echo { path = /echo, handler = echo }\n";
        try (RunningGateway reloaded = RunningGateway.start(plain)) {
            reloaded.reload(plain + "sluice.server.proxy-protocol = true");
            try (RawClient client = reloaded.connect()) {
                assertThat(client.send(request).read().status()).isEqualTo(421);
            }
        }
    }

    @Test
    void onlyAHeaderFromATrustedProxyIsBelieved() throws Exception {
        try (RawClient trusted = choosy.connect()) {
            trusted.send(text("203.0.113.7")).send(ECHO_FOR);
            assertClient(trusted, "203.0.113.7");
        }
        try (RawClient proxyBehindProxy = choosy.connect()) {
            proxyBehindProxy.send(binary("10.1.1.1")).send(ECHO_FOR);
            assertClient(proxyBehindProxy, "198.51.100.9");
        }
        try (RunningGateway elsewhere = RunningGateway.start("""
                sluice.server { proxy-protocol = true, trusted-proxies = [10.0.0.0/8] }
                sluice.routes.echo { path = "/echo", handler = echo }
                """)) {
            assertRefused(elsewhere, (new String(text("10.1.1.1"), StandardCharsets.US_ASCII) + ECHO)
                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(elsewhere.getAdmin("/metrics").body())
                    .contains("sluice_connections_rejected_total{reason=\"proxy_header\"} 1.0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PROXY TC"})
    void disconnectBeforeTheHeaderIsNotCounted(String begun) throws Exception {
        double before = rejected();
        try (RawClient client = choosy.connect()) {
            client.send(begun);
        }
        await().untilAsserted(() -> assertThat(choosy.getAdmin("/metrics").body())
                .contains("sluice_connections 0.0"));
        assertThat(rejected()).isEqualTo(before);
    }

    private static double rejected() throws Exception {
        return choosy.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_connections_rejected_total{reason=\"proxy_header\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    @Test
    void adminPortNeedsNoProxyHeader() throws Exception {
        assertThat(gateway.getAdmin("/livez").statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> gateway.get("/echo")).isInstanceOf(IOException.class);
    }
}
