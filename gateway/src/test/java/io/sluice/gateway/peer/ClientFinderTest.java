package io.sluice.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.config.read.ConfigLoader;
import io.sluice.config.type.IpLiteral;
import io.sluice.handlers.Client;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientFinderTest {
    private static final String PROXY = "10.0.0.1";

    private final ClientFinder trusting = finder("10.0.0.0/8,fd00::/8");
    private final HttpHeaders headers = new DefaultHttpHeaders();

    private static ClientFinder finder(String trusted) {
        return new ClientFinder(new ConfigLoader(trusted.isEmpty() ? Map.of()
                : Map.of("sluice.server.trusted-proxies", trusted))
                .loadResource("reference.conf").config().server());
    }

    private Client client(ClientFinder finder, String peer) {
        var channel = new EmbeddedChannel();
        PeerAddress.set(channel, new InetSocketAddress(IpLiteral.parse(peer), 4711));
        try {
            return finder.of(finder.ofAll(channel), channel, headers);
        } finally {
            channel.close();
        }
    }

    private String address(Client client) {
        return client.address().getAddress().getHostAddress() + ' ' + client.address().getPort();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            203.0.113.7                         | 203.0.113.7 0
            198.51.100.1, 203.0.113.7           | 203.0.113.7 0
            198.51.100.1,203.0.113.7, 10.2.2.2  | 203.0.113.7 0
            10.3.3.3, 10.2.2.2                  | 10.3.3.3 0
            203.0.113.7:5678                    | 203.0.113.7 5678
            2001:db8::7, fd00::2                | 2001:db8:0:0:0:0:0:7 0
            [2001:db8::7]:5678                  | 2001:db8:0:0:0:0:0:7 5678
            ::ffff:203.0.113.7, ::ffff:10.9.9.9 | 203.0.113.7 0
            , 203.0.113.7 ,, 10.2.2.2 ,         | 203.0.113.7 0
            ", 203.0.113.7                      | 203.0.113.7 0
            203.0.113.7, "10.2.2.2              | 10.0.0.1 4711
            203.0.113.7, unknown                | 10.0.0.1 4711
            203.0.113.7, unknown, 10.2.2.2      | 10.2.2.2 0
            203.0.113.7, evil.example           | 10.0.0.1 4711
            203.0.113.7, 203.0.113.256          | 10.0.0.1 4711
            203.0.113.7, 203.0.113.8:99999      | 10.0.0.1 4711
            203.0.113.7, 203.0.113.8:           | 10.0.0.1 4711
            203.0.113.7, [203.0.113.8]          | 10.0.0.1 4711
            203.0.113.7, [2001:db8::7           | 10.0.0.1 4711
            203.0.113.7, 1 2                    | 10.0.0.1 4711
            ,                                   | 10.0.0.1 4711
            ``                                  | 10.0.0.1 4711
            """)
    void xForwardedForYieldsTheLastUntrustedAddress(String value, String expected) {
        headers.set("X-Forwarded-For", value);

        assertThat(address(client(trusting, PROXY))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            for=203.0.113.7                                   | 203.0.113.7 0       | null
            FOR="203.0.113.7:99";proto=HTTPS                  | 203.0.113.7 99      | https
            for="[2001:db8::7]:99"; proto=http ;by=10.0.0.1   | 2001:db8:0:0:0:0:0:7 99 | http
            for="203.0.113.7:_port"                           | 203.0.113.7 0       | null
            by=x;for=203.0.113.7;proto=https;for2=1           | 203.0.113.7 0       | https
            for=1.1.1.1;proto=ws, for=203.0.113.7;proto=https, for=10.2.2.2;proto=ws | 203.0.113.7 0 | https
            for=203.0.113.7;a="x, y;z"                        | 203.0.113.7 0       | null
            for=198.51.100.1;a=", for=203.0.113.7             | 203.0.113.7 0       | null
            for=", for=203.0.113.7, for=10.2.2.2              | 203.0.113.7 0       | null
            ;for=203.0.113.7;;                                | 203.0.113.7 0       | null
            for=203.0.113.7, ;                                | 10.0.0.1 4711       | null
            for=203.0.113.7;for=203.0.113.8                   | 10.0.0.1 4711       | null
            for=203.0.113.7, for=_hidden;proto=https          | 10.0.0.1 4711       | https
            for=203.0.113.7, for=unknown                      | 10.0.0.1 4711       | null
            for=203.0.113.7, proto=https                      | 10.0.0.1 4711       | https
            for=203.0.113.7, for = 203.0.113.8                | 10.0.0.1 4711       | null
            for=203.0.113.7, for=203.0.113.8;x                | 10.0.0.1 4711       | null
            for=203.0.113.7, for="203.0.113.8                 | 10.0.0.1 4711       | null
            for="203.\\0.113.8"                               | 203.0.113.8 0       | null
            for=203.0.113.7;a="b\\", c\\\\";proto=https          | 203.0.113.7 0       | https
            for=203.0.113.8;a="\\", for=203.0.113.7           | 203.0.113.7 0       | null
            for=203.0.113.7;proto=gopher                      | 203.0.113.7 0       | null
            for=203.0.113.7;proto=wss                         | 203.0.113.7 0       | https
            """, nullValues = "null")
    void forwardedYieldsTheLastUntrustedAddress(String value, String expected, String scheme) {
        headers.set("Forwarded", value);

        Client client = client(trusting, PROXY);

        assertThat(address(client)).isEqualTo(expected);
        assertThat(client.scheme()).isEqualTo(scheme);
    }

    /** A regular expression's {@code $} matches before this character, too. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0085", "for=203.0.113.7;\u0085", "for=203.0.113.7\u0085"})
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLineEndOfLatin1IsNoEndOfForwarded(String value) {
        headers.set("Forwarded", value);

        assertThat(address(client(trusting, PROXY))).isEqualTo("10.0.0.1 4711");
    }

    @Test
    void severalFieldsAreOneList() {
        headers.add("X-Forwarded-For", "198.51.100.1, \"").add("x-forwarded-for", "203.0.113.7")
                .add("X-FORWARDED-FOR", "10.2.2.2,");

        assertThat(address(client(trusting, PROXY))).isEqualTo("203.0.113.7 0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "null", textBlock = """
            for=203.0.113.7;host=a;proto=https | 203.0.113.7   | null  | null | 203.0.113.7 0 | https | a
            for=203.0.113.7                    | 203.0.113.7:1 | https | a    | 203.0.113.7 0 | https | a
            for=203.0.113.7;host=a;proto=https | 203.0.113.7   | http  | b    | 203.0.113.7 0 | null  | null
            for=203.0.113.7                    | 203.0.113.8   | https | a    | 10.0.0.1 4711 | null  | null
            for=unknown                        | 203.0.113.8   | https | a    | 10.0.0.1 4711 | null  | null
            nonsense                           | 203.0.113.8   | null  | null | 10.0.0.1 4711 | null  | null
            """)
    void contradictoryHeadersAreIgnored(String forwarded, String usual, String proto, String xHost,
                                             String expected, String scheme, String host) {
        headers.set("Forwarded", forwarded).set("X-Forwarded-For", usual);
        if (proto != null) {
            headers.set("X-Forwarded-Proto", proto).set("X-Forwarded-Host", "evil.example, " + xHost);
        }

        Client client = client(trusting, PROXY);

        assertThat(address(client)).isEqualTo(expected);
        assertThat(client.scheme()).isEqualTo(scheme);
        assertThat(client.host()).isEqualTo(host);
    }

    /** Proxies overwrite these fields or pass them on, so that elements of theirs belong to no address. */
    @Test
    void lastForwardedSchemeAndHostApply() {
        headers.set("X-Forwarded-For", "203.0.113.7, 10.2.2.2").set("X-Forwarded-Proto", "https, http")
                .set("X-Forwarded-Host", "a, b");

        Client client = client(trusting, PROXY);

        assertThat(address(client)).isEqualTo("203.0.113.7 0");
        assertThat(client.scheme()).isEqualTo("http");
        assertThat(client.host()).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0/8"})
    void forwardingHeadersOfUntrustedPeersAreRemoved(String trusted) {
        headers.set("Forwarded", "for=10.0.0.1").set("X-Forwarded-For", "10.0.0.1").set("X", "1")
                .set("X-REAL-IP", "10.0.0.1").set("X-Forwarded", "1").set("X-Request-Id", "7")
                .set("From", "me").set("x-forwarded-foo", "1").set("F", "1").set("Client-Cert", ":MIIB:")
                .set("client-cert-chain", ":MIIB:").set("X-SSL-Client-Verify", "SUCCESS")
                .set("x_ssl_client_cert", "MIIB").set("ssl-client-verify", "SUCCESS").set("C", "1")
                .add("x-forwarded-for", "10.0.0.2");

        Client client = client(finder(trusted), "203.0.113.7");

        assertThat(address(client)).isEqualTo("203.0.113.7 4711");
        assertThat(client.scheme()).isNull();
        assertThat(headers.names()).containsExactlyInAnyOrder("X-Request-Id", "From", "X", "F", "C");
    }

    @Test
    void forwardingHeadersOfTrustedProxiesAreKept() {
        headers.set("X-Forwarded-For", "203.0.113.7").set("X-Real-IP", "203.0.113.7")
                .set("Client-Cert", ":MIIB:");

        client(trusting, PROXY);

        assertThat(headers.names())
                .containsExactlyInAnyOrder("X-Forwarded-For", "X-Real-IP", "Client-Cert");
    }

    @Test
    void longMalformedHeadersAreParsedInLinearTime() {
        headers.set("X-Forwarded-For", "[" + ":".repeat(30_000)).set("Forwarded", "a".repeat(30_000));
        assertThat(address(client(trusting, PROXY))).isEqualTo("10.0.0.1 4711");
        headers.set("Forwarded", "a=1;".repeat(8_000) + '"');
        assertThat(address(client(trusting, PROXY))).isEqualTo("10.0.0.1 4711");
    }
}
