package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.logging.LoggedEvents;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** TLS handshakes, complete and failed: the bytes that clients receive, and the meter. */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class TlsHandshakeIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String SERVER_HELLO = "16";
    /** The loggers of connections. Others may log what is left of the gateway of an earlier test. */
    private static final Pattern LOGGERS = Pattern.compile("io\\.(netty|sluice\\.gateway\\.(tls|net|http))");
    private static final String ALERT = "15";
    /** A fatal alert (RFC 8446 section 6.2) in a record of its own. */
    private static final String DECODE_ERROR = "15030300020232";

    private static TlsServer server;
    private static TlsServer impatient;

    @Parameter
    private Provider provider;
    private final LoggedEvents logged = new LoggedEvents();

    @BeforeParameterizedClassInvocation
    static void start(Provider provider, @TempDir Path folder) {
        String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST)
                + ", provider = " + provider;
        server = new TlsServer(TlsServer.config(folder, files),
                route("/", exchange -> answer(exchange, "hello")));
        impatient = new TlsServer(TlsServer.config(folder, files + ", handshake-timeout = 300ms"));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
        impatient.close();
    }

    @BeforeEach
    void listen() {
        logged.start();
        root().addAppender(logged);
        server.forget();
        impatient.forget();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    }

    /** Checks that no failure was logged at INFO or above, since any client could fill the log. */
    @AfterEach
    void noFailureWasLoggedAtInfo() {
        root().detachAppender(logged);
        assertThat(logged.list).filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.INFO)
                && LOGGERS.matcher(event.getLoggerName()).lookingAt()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void agreesOnAVersionAndOnHttp(String version) throws Exception {
        try (RawClient client = SecureClient.connect(server.port(), ask -> {
            ask.setProtocols(new String[] {version});
            ask.setApplicationProtocols(new String[] {"h3", "http/1.1"});
        })) {
            assertThat(((SSLSocket) client.socket()).getApplicationProtocol()).isEqualTo("http/1.1");
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(server.told()).isEqualTo(version);
        }
    }

    @Test
    void clientWithoutAlpnSpeaksHttp() throws Exception {
        try (RawClient client = SecureClient.connect(server.port())) {
            assertThat(((SSLSocket) client.socket()).getApplicationProtocol()).isEmpty();
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
        }
    }

    /** See RFC 7301 section 3.2. */
    @Test
    void unsupportedAlpnProtocolsAreRefused() throws Exception {
        assertThat(heard(new Hello().protocols("h3", "spdy/1").bytes())).isEqualTo("15030300020278");
        assertThat(server.told()).isEqualTo("ALPN");
        assertThatThrownBy(() -> SecureClient.connect(server.port(),
                ask -> ask.setApplicationProtocols(new String[] {"h3"})))
                .isInstanceOf(SSLException.class).hasMessageContaining("no_application_protocol");
        assertThat(server.told()).isEqualTo("ALPN");
    }

    @ParameterizedTest
    @CsvSource({"0302, C02B, 46", "0300, C02B, 46", "0303, 009C, 28", "0303, C009, 28", "0303, C02F, 28"})
    void refusesOldVersionsAndWeakCiphers(String version, String cipher, String alert) throws Exception {
        String heard = heard(new Hello().version(HexFormat.fromHexDigits(version))
                .ciphers(HexFormat.fromHexDigits(cipher)).bytes());

        assertThat(heard).startsWith(ALERT).endsWith("0002" + "02" + alert);
        assertThat(server.told()).isEqualTo("PROTOCOL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x25519", "secp256r1", "secp384r1"})
    void agreesOnTheGroupsOfMozillasIntermediateProfile(String group) throws Exception {
        try (RawClient client = offering(group)) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp521r1", "x448", "ffdhe2048"})
    void unsupportedGroupsAreRefused(String group) {
        assertThatThrownBy(() -> offering(group)).isInstanceOf(SSLException.class)
                .hasMessageContaining("Received fatal alert");
    }

    private static RawClient offering(String group) throws Exception {
        return SecureClient.connect(server.port(), ask -> {
            ask.setProtocols(new String[] {"TLSv1.3"});
            ask.setNamedGroups(new String[] {group});
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000})
    void readsAHelloInManyRecords(int length) throws Exception {
        assertThat(heard(new Hello().name("localhost").protocols("http/1.1").padding(4000).records(length)))
                .startsWith(SERVER_HELLO);
    }

    /** An event loop would take their records one by one, 60,000 of them in all. */
    @Test
    void readsNoHelloInThousandsOfRecords() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(new Hello().name("localhost").padding(8000).records(1));
            assertThat(heard(client)).isEqualTo(DECODE_ERROR);
        }
        assertThat(server.told()).isEqualTo("PROTOCOL");
    }

    @Test
    void readsAHelloByteByByte() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            for (byte one : new Hello().name("localhost").bytes()) {
                client.send(new byte[] {one});
            }
            assertThat(client.socket().getInputStream().read()).isEqualTo(22);
        }
    }

    @ParameterizedTest
    @CsvSource({"00010203040506070809, NOT_TLS", "802e0100020300000001, NOT_TLS", "ff, ''",
        "160301000501000000ff01, PROTOCOL", "1703030005aaaaaaaaaa, PROTOCOL"})
    void nonTlsBytesAreRefused(String sent, String told) throws Exception {
        String heard = heard(HexFormat.of().parseHex(sent));

        assertThat(heard.isEmpty() || heard.startsWith(ALERT)).as(heard).isTrue();
        if (!told.isEmpty()) {
            assertThat(server.told()).isEqualTo(told);
        }
    }

    @Test
    void doesNotCollectAHelloWithoutEnd() throws Exception {
        byte[] endless = new Hello().padding(60_000).bytes();
        endless[6] = 1; // a length of 16 MiB
        try (RawClient client = new RawClient(server.port())) {
            client.send(endless);
            assertThat(heard(client)).isEqualTo(DECODE_ERROR);
        }
        assertThat(server.told()).isEqualTo("PROTOCOL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1603", "16030102000100"})
    void slowClientHelloTimesOut(String sent) throws Exception {
        long begin = System.nanoTime();
        try (RawClient client = new RawClient(impatient.port())) {
            client.send(HexFormat.of().parseHex(sent));
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(impatient.told()).isEqualTo("TIMEOUT");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(290));
    }

    @Test
    void unfinishedHandshakeTimesOut() throws Exception {
        try (RawClient client = new RawClient(impatient.port())) {
            client.send(new Hello().bytes());
            heard(client);
        }
        assertThat(impatient.told()).isEqualTo("TIMEOUT");
        assertThat(impatient.rest()).isEmpty();
    }

    @Test
    void disconnectDuringTheHandshakeReleasesTheConnection() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(new Hello().bytes());
            assertThat(client.socket().getInputStream().read()).isEqualTo(22);
        }
        assertThat(server.isToldOfClose()).isTrue();
    }

    /** Load balancers connect and close to check that the port is open. */
    @Test
    void silentConnectionsAreNotCounted() throws Exception {
        new RawClient(server.port()).close();
        agreesOnAVersionAndOnHttp("TLSv1.3");
        assertThat(server.rest()).isEmpty();
    }

    @Test
    void alertOfAnUntrustingClientIsCounted() throws Exception {
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertThatThrownBy(() -> SecureClient.socket(SSLContext.getDefault(), server.port(),
                    ask -> ask.setProtocols(new String[] {version}))).isInstanceOf(SSLException.class);
            assertThat(server.told()).isEqualTo("CLIENT_ALERT");
        }
    }

    @Test
    void doesNotRenegotiate() throws Exception {
        try (RawClient client = SecureClient.ofTls12(server.port())) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThatThrownBy(() -> {
                ((SSLSocket) client.socket()).startHandshake();
                client.send(GET).read();
            }).isInstanceOf(IOException.class);
        }
    }

    /** Each costs keys, and a response where the client asks for it. */
    @Test
    void takesFewKeyUpdatesInARow() throws Exception {
        try (RawClient client = SecureClient.connect(server.port())) {
            for (int i = 0; i < 3; i++) {
                updateKeys(client, 20);
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }
            assertThatThrownBy(() -> {
                updateKeys(client, 100);
                client.send(GET).read();
            }).isInstanceOf(IOException.class);
        }
    }

    private static void updateKeys(RawClient client, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            ((SSLSocket) client.socket()).startHandshake(); // which in TLS 1.3 is that
        }
    }

    private static String heard(byte[] said) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(said);
            client.socket().shutdownOutput();
            return heard(client);
        }
    }

    /** Returns the bytes that the client receives until the connection ends or is reset. */
    private static String heard(RawClient client) throws IOException {
        try {
            return HexFormat.of().formatHex(client.socket().getInputStream().readAllBytes());
        } catch (SocketException e) {
            return "";
        }
    }
}
