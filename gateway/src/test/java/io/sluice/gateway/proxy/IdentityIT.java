package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.tls.SecureClient;
import io.sluice.gateway.tls.TestCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's identity at the origin: it comes from the gateway and from trusted proxies only. */
class IdentityIT {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final String TRUSTED = "sluice.server.trusted-proxies = [\"127.0.0.0/8\"]\n";

    /** Returns the values of a field at the origin, in any spelling of its name. */
    private static List<String> received(String settings, String name, String... lines) throws IOException {
        try (var proxy = ProxyBed.start(settings, ByteOrigin.answering(EMPTY))) {
            assertThat(proxy.get("/", lines).status()).isEqualTo(200);
            return proxy.origin().requests().getFirst().lines()
                    .filter(line -> line.replaceAll("[_.]", "-").toLowerCase(Locale.ROOT)
                            .startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).strip()).toList();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"forwarded | for=127.0.0.1;host=\"shop.example\";proto=http",
        "x-forwarded-for | 127.0.0.1", "x-forwarded-proto | http", "x-forwarded-host | shop.example"})
    void forwardingHeadersOfAnUntrustedClientAreReplaced(String name, String expected) throws IOException {
        String underscored = name.replace('-', '_');
        assertThat(received("", name, name + ": 1.2.3.4", underscored + ": 5.6.7.8",
                name.toUpperCase(Locale.ROOT) + ": a, b", name.replaceFirst("-", "_") + ": c",
                name.replace('-', '.') + ": d", "Connection: " + name)).containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-real-ip", "x-forwarded", "x-forwarded-port", "x-forwarded-prefix",
        "x-forwarded-server", "x-forwarded-anything", "proxy", "client-ip", "true-client-ip", "x-scheme",
        "front-end-https", "proxy-client-ip", "wl-proxy-ssl",
        "cf-connecting-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for",
        "x-original-url", "x-original-uri", "x-rewrite-url"})
    void unsupportedIdentityHeadersAreRemoved(String name) throws IOException {
        String[] lines = {name + ": 1", name.replace('-', '_') + ": 2",
            name.toUpperCase(Locale.ROOT).replace('-', '.') + ": 3", name.replaceFirst("-", "_") + ": 4"};
        assertThat(received("", name, lines)).isEmpty();
        assertThat(received(TRUSTED, name, lines)).isEmpty();
    }

    @Test
    void keepsFieldsWithSimilarNames() throws IOException {
        assertThat(received("", "x-original-filename", "X-Original-Filename: a")).containsExactly("a");
        assertThat(received("", "client-ip-hint", "Client-IP-Hint: b")).containsExactly("b");
    }

    @Test
    void leavesTheChoiceOfHostToTheRoute() throws IOException {
        assertThat(received("", "host")).containsExactly("shop.example");
        assertThat(received("sluice.routes.all.host = shop.internal", "host"))
                .containsExactly("shop.internal");
        try (var proxy = ProxyBed.start("sluice.routes.all.host = endpoint", ByteOrigin.answering(EMPTY))) {
            proxy.get("/");
            assertThat(proxy.origin().requests().getFirst())
                    .containsOnlyOnce("\r\nHost: 127.0.0.1:" + proxy.origin().port() + "\r\n");
        }
    }

    @Test
    void isResolvedFromTrustedProxies() throws IOException {
        String[] lines = {"X-Forwarded-For: 6.6.6.6, 2001:db8::7", "X-Forwarded-For: 127.0.0.2",
            "X-Forwarded-Proto: https", "X-Forwarded-Host: www.example:8443"};
        assertThat(received(TRUSTED, "x-forwarded-for", lines)).containsExactly("2001:db8::7");
        assertThat(received(TRUSTED, "x-forwarded-proto", lines)).containsExactly("https");
        assertThat(received(TRUSTED, "x-forwarded-host", lines)).containsExactly("www.example:8443");
        assertThat(received(TRUSTED, "forwarded", lines)).containsExactly(
                "for=\"[2001:db8::7]\";host=\"www.example:8443\";proto=https");
        assertThat(received(TRUSTED, "host", lines)).containsExactly("shop.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", TRUSTED})
    void hasTheSchemeOfTheConnectionUnlessAProxyStatesAnother(String settings, @TempDir Path folder)
            throws IOException {
        String tls = "sluice.tls { " + TestCertificates.write(folder, "a", TestCertificates.LOCALHOST) + " }";
        try (var proxy = ProxyBed.start(settings + tls, ByteOrigin.answering(EMPTY));
                RawClient client = SecureClient.connect(proxy.gateway().tlsPort(), _ -> { })) {
            assertThat(client.send(ProxyBed.request("GET", "/")).read().status()).isEqualTo(200);
            assertThat(proxy.origin().requests().getFirst()).contains("\r\nX-Forwarded-Proto: https\r\n",
                    "\r\nForwarded: for=127.0.0.1;host=\"shop.example\";proto=https\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\", for=6.6.6.6", "a b", "a;for=6.6.6.6", "\u00e9", "a\\", "\"\"", "a/b"})
    void invalidForwardedHostIsReplaced(String claimed) throws IOException {
        String line = "X-Forwarded-Host: " + claimed;
        assertThat(received(TRUSTED, "x-forwarded-host", line)).hasSize(1).first().asString()
                .isIn("shop.example", "for=6.6.6.6").doesNotContain("=", "\"");
        assertThat(received(TRUSTED, "forwarded", line))
                .containsExactly("for=127.0.0.1;host=\"shop.example\";proto=http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rX-Injected: 1", "a\nX-Injected: 1", "a\0b", "a,b", "a\"b", "a b", "u@a",
        "a/b", ""})
    void cannotBeInjectedThroughHost(String host) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(EMPTY))) {
            assertThat(proxy.exchange("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status())
                    .isEqualTo(400);
            assertThat(proxy.origin().connections()).isZero();
        }
    }

    @Test
    void viaListsTheProxies() throws IOException {
        assertThat(received("", "via", "via: 1.0 first", "Via: 1.1 second (a)"))
                .containsExactly("1.0 first", "1.1 second (a)", "1.1 sluice");
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.1 200 OK\r\nVia: 1.1 inner\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(proxy.get("/").headers()).containsSequence("Via: 1.1 inner", "Content-Length: 0",
                    "Via: 1.1 sluice");
        }
    }

    @Test
    void hasTheRequestIdOfTheLogAndTheResponse() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.1 200 OK\r\nX-Request-Id: of-the-origin\r\nContent-Length: 0\r\n\r\n"))) {
            RawClient.Answer answer = proxy.get("/", "X-Request-Id: of-the-client", "x_request_id: other");
            assertThat(answer.header("x-request-id")).isEqualTo("of-the-client");
            assertThat(proxy.origin().requests().getFirst())
                    .containsOnlyOnce("X-Request-Id: of-the-client\r\n").doesNotContain("other");
        }
    }

    @Test
    void hasTheTimeThatIsLeftOfTheRoutesDeadline() throws IOException {
        assertThat(received("", "x-request-timeout")).isEmpty();
        String deadline = "sluice.routes.all.deadline = 30s";
        assertThat(received(deadline, "x-request-timeout", "X_Request_Timeout: 1ms"))
                .singleElement().asString().matches("(2[0-9]{4}|30000)ms");
        assertThat(received(deadline, "x-request-timeout", "X-Request-Timeout: 9999ms"))
                .singleElement().asString().matches("[0-9]{4}ms");
    }

    /** Servers take the login by one of these schemes for that of the connection (RFC 4559). */
    @ParameterizedTest
    @ValueSource(strings = {"Authorization: NTLM TlRM", "authorization: negotiate YIIJ",
        "Authorization: x\r\nAuthorization: Kerberos YIIJ"})
    void isNotALoginOfAnotherClientOnTheConnection(String login) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            for (int i = 1; origin.request() != null; i++) {
                origin.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + i);
            }
        })); RawClient client = proxy.connect()) {
            for (int i = 1; i <= 3; i++) {
                String fields = i == 1 ? login : "X-Count: " + i;
                assertThat(client.send(request("GET", "/", fields)).read().body()).isEqualTo("" + i);
                assertThat(proxy.get("/").body()).as("of another client").isEqualTo("" + i);
            }
            assertThat(proxy.origin().connections()).isEqualTo(2);
        }
    }
}
