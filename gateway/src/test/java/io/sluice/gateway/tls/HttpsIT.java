package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.TlsConfig;
import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.HandlerServer.Ended;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.tls.TlsTap.End;
import io.sluice.gateway.tls.TlsTap.Sent;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP over TLS, with both providers: requests on a connection, and its end. */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class HttpsIT {
    private static final String GET = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LAST = "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    private static final String POST = "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n";
    private static final int MUCH = 1 << 20;

    private static TlsServer server;

    @Parameter
    private Provider provider;

    @BeforeParameterizedClassInvocation
    static void start(Provider provider, @TempDir Path folder) {
        server = new TlsServer(config(provider, folder),
                route("/hello", exchange -> answer(exchange, "hello")),
                route("/much", exchange -> answer(exchange, "x".repeat(MUCH))),
                route("/count", exchange -> exchange.readBody(
                        body -> answer(exchange, Integer.toString(body.readableBytes())))),
                route("/never", exchange -> exchange.onAbort(() -> { })),
                route("/part", HttpsIT::part));
    }

    private static TlsConfig config(Provider provider, Path folder) {
        String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
        return TlsServer.config(folder, files + ", provider = " + provider);
    }

    /**
     * Sends half of an answer and fails. A client of HTTP/1.0 sees that only by the end of the connection.
     */
    private static void part(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        stream.write(exchange.alloc().buffer().writeBytes("half".getBytes(StandardCharsets.UTF_8)));
        exchange.eventLoop().schedule(() -> exchange.fail(new IllegalStateException("no more")), 100,
                TimeUnit.MILLISECONDS);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    private RawClient connect() throws IOException {
        return SecureClient.connect(server.port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void answersOneRequestAfterTheOther(String version) throws Exception {
        try (RawClient client = SecureClient.connect(server.port(),
                ask -> ask.setProtocols(new String[] {version}))) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET.formatted("/hello")).read().body()).isEqualTo("hello");
            }
            client.send(GET.formatted("/hello").repeat(50));
            for (int i = 0; i < 50; i++) {
                assertThat(client.read().body()).isEqualTo("hello");
            }
        }
    }

    /** Its name in ALPN is registered, as those of later versions are. */
    @Test
    void answersAClientThatOffersHttp10Only() throws Exception {
        try (RawClient client = SecureClient.connect(server.port(),
                ask -> ask.setApplicationProtocols(new String[] {"http/1.0"}))) {
            assertThat(client.send("GET /hello HTTP/1.0\r\n\r\n").read().body()).isEqualTo("hello");
            assertThat(((SSLSocket) client.socket()).getApplicationProtocol()).isEqualTo("http/1.0");
        }
    }

    @Test
    void carriesMuchInBothDirections() throws Exception {
        try (RawClient client = connect()) {
            assertThat(client.send(GET.formatted("/much")).read().content()).hasSize(MUCH);
            client.send(POST.formatted(MUCH));
            assertThat(client.send(new byte[MUCH]).read().body()).isEqualTo(Integer.toString(MUCH));
        }
    }

    @Test
    void takesARequestByteByByte() throws Exception {
        try (RawClient client = connect()) {
            for (byte one : GET.formatted("/hello").getBytes(StandardCharsets.US_ASCII)) {
                client.send(new byte[] {one});
            }
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    @Test
    void sendsASmallAnswerInOneRecord() throws Exception {
        try (var tap = new TlsTap(server.port()); RawClient client = SecureClient.ofTls12(tap.port())) {
            client.send(GET.formatted("/hello")).read();

            assertThat(tap.records()).filteredOn(sent -> sent.type() == TlsTap.DATA).hasSize(1);
        }
    }

    @Test
    void sendsALargeAnswerInFullRecords() throws Exception {
        try (var tap = new TlsTap(server.port()); RawClient client = SecureClient.ofTls12(tap.port())) {
            client.send(GET.formatted("/much")).read();

            int full = 16 * 1024;
            assertThat(tap.records()).filteredOn(sent -> sent.type() == TlsTap.DATA)
                    .hasSizeLessThanOrEqualTo(MUCH / full + 2);
        }
    }

    /** See RFC 8446 section 6.1 and RFC 5246 section 7.2.1. */
    @Test
    void endsWithCloseNotifyBehindTheLastAnswer() throws Exception {
        try (var tap = new TlsTap(server.port()); RawClient client = SecureClient.ofTls12(tap.port())) {
            assertThat(client.send(LAST.formatted("/much")).read().content()).hasSize(MUCH);
            assertThat(client.isClosed()).isTrue();
            client.socket().close();

            assertThat(tap.end()).isEqualTo(End.CLOSED);
            List<Sent> records = tap.records();
            assertThat(records.getLast().type()).isEqualTo(TlsTap.ALERT);
            assertThat(records.get(records.size() - 2).type()).isEqualTo(TlsTap.DATA);
        }
    }

    @Test
    void resetsAnAnswerThatIsCutOff() throws Exception {
        try (var tap = new TlsTap(server.port()); RawClient client = SecureClient.ofTls12(tap.port())) {
            client.send("GET /part HTTP/1.0\r\n\r\n");

            assertThat(tap.end()).isEqualTo(End.RESET);
            assertThat(tap.records()).extracting(Sent::type).doesNotContain(TlsTap.ALERT)
                    .endsWith(TlsTap.DATA);
        }
    }

    /** A reset would make the client discard the answer (RFC 9112 section 9.6). */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void answersAClientThatGoesOnSending(String version, @TempDir Path folder) throws Exception {
        try (var patient = TlsServer.withClock(config(provider, folder), route("/count", _ -> { }));
                RawClient client = SecureClient.connect(patient.port(),
                        ask -> ask.setProtocols(new String[] {version}))) {
            client.send(POST.formatted(100 * MUCH));
            for (int i = 0; i < 10; i++) {
                client.send(new byte[MUCH / 100]);
            }
            assertThat(client.read().status()).isEqualTo(413);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void takesCloseNotifyForTheEndOfAClient(String version) throws Exception {
        server.http().ended().clear();
        try (RawClient client = SecureClient.connect(server.port(),
                ask -> ask.setProtocols(new String[] {version}))) {
            client.send(GET.formatted("/hello") + GET.formatted("/never"));
            assertThat(client.read().body()).isEqualTo("hello");
            client.socket().shutdownOutput();

            assertThat(client.isClosed()).isTrue();
        }
        await().untilAsserted(() ->
                assertThat(server.http().ended()).extracting(Ended::status).containsExactly(200, 499));
    }

    @Test
    void tellsAClientThatSpeaksPlainHttp() throws Exception {
        for (String said : List.of(GET.formatted("/hello"), "G",
                "POST /x HTTP/1.0\r\n\r\n" + "x".repeat(9999), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
            try (RawClient client = new RawClient(server.port())) {
                Answer answer = client.send(said).read();

                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body()).contains("this port speaks TLS");
                assertThat(answer.header("connection")).isEqualTo("close");
                assertThat(answer.header("date")).isNotNull();
                assertThat(client.isClosed()).isTrue();
            }
        }
    }

    @Test
    void forgetsAConnectionWhoseClientBreaksTls() throws Exception {
        try (var tap = new TlsTap(server.port()); RawClient client = SecureClient.ofTls12(tap.port())) {
            client.send(GET.formatted("/hello")).read();
            tap.send(new byte[] {TlsTap.DATA, 3, 3, 0, 32});
            tap.send(new byte[32]);

            assertThat(tap.end()).isEqualTo(End.CLOSED);
            assertThat(tap.records().getLast().type()).isEqualTo(TlsTap.ALERT);
            assertThatThrownBy(client::isClosed).isInstanceOf(IOException.class);
        }
    }
}
