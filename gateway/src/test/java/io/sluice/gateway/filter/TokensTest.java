package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.TokenConfig;
import io.sluice.config.type.Sha256;
import io.sluice.gateway.peer.Credential;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensTest {
    private static final String HANDSHAKE = "Upgrade: websocket; Connection: Upgrade; ";

    private final Tokens tokens = knowing("alice", "bob-token", "a+b/c==");

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            Authorization: Bearer alice                            | alice
            Authorization: bearer alice                            | alice
            Authorization: BEARER   alice                          | alice
            authorization: Bearer a+b/c==                          | a+b/c==
            Authorization: Bearer bob-token                        | bob-token
            Authorization: Bearer Alice                            | -
            Authorization: Bearer alice x                          | -
            Authorization: Bearer alice, Bearer alice              | -
            Authorization: Bearer                                  | -
            Authorization: Beareralice                             | -
            Authorization: alice                                   | -
            Authorization: Basic alice                             | -
            Authorization: Bearer alice; Authorization: Bearer alice | -
            Authorization: Bearer alice; Authorization: Basic x    | -
            Cookie: access_token=alice                             | -
            Sec-WebSocket-Protocol: bearer, alice                  | -
            """)
    void callerIsFoundByTheAuthorizationHeader(String headers, String caller) {
        assertThat(callerOf(request("/?access_token=bob-token", headers))).isEqualTo(caller);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            /                                     | Authorization: Bearer alice               | alice
            /                                     | Sec-WebSocket-Protocol: bearer, alice     | alice
            /                                     | Sec-WebSocket-Protocol: v2, bearer,alice,v1 | alice
            /        | Sec-WebSocket-Protocol: bearer; Sec-WebSocket-Protocol: alice          | alice
            /                                     | Sec-WebSocket-Protocol: alice, bearer     | -
            /                                     | Sec-WebSocket-Protocol: Bearer, alice     | -
            /                                     | Sec-WebSocket-Protocol: bearer alice      | -
            /        | Sec-WebSocket-Protocol: bearer, alice, bearer, alice                   | -
            /?access_token=alice                  | X: x                                      | alice
            /?a=b&access_token=bob%2Dtoken        | X: x                                      | bob-token
            http://a/b?access%5Ftoken=a%2Bb/c%3D= | X: x                                      | a+b/c==
            /?access_token=                       | X: x                                      | -
            /?access_token=alice&access_token=alice | X: x                                    | -
            /?access_token=alice&x=%zz            | X: x                                      | -
            /?x;access_token=alice                | X: x                                      | -
            /access_token=alice                   | X: x                                      | -
            /?access_token=alice                  | Authorization: Bearer alice               | -
            /?access_token=alice                  | Sec-WebSocket-Protocol: bearer, alice     | -
            /?access_token=alice                  | Authorization: Basic x                    | alice
            """)
    void callerIsFoundByQueryOrSubprotocolOfAHandshake(String target, String headers, String caller) {
        assertThat(callerOf(request(target, HANDSHAKE + headers))).isEqualTo(caller);
    }

    /** Otherwise the second token would not be seen, nor that the caller is ambiguous. */
    @Test
    void aTokenIsNotHiddenBehindParameters() {
        String target = "/?access_token=alice&" + "x&".repeat(1023) + "access_token=bob-token";

        assertThatThrownBy(() -> callerOf(request(target, HANDSHAKE + "X: x")))
                .hasMessage("query (expected: at most 1024 parameters)");
    }

    @ParameterizedTest
    @CsvSource({"POST, websocket", "GET, h2c", "HEAD, websocket", "GET, websocket"})
    void queryTokensAreIgnoredWithoutAHandshake(String method, String upgrade) {
        // A handshake has the field Connection, too.
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method),
                "/?access_token=alice");
        request.headers().set("Upgrade", upgrade);

        assertThat(callerOf(request)).isNull();
    }

    @Test
    void queryTokensAreIgnoredOnOtherRoutes() {
        Access notForSockets = tokens.access(Optional.empty());

        assertThat(notForSockets.shownBy(request("/?access_token=alice", HANDSHAKE + "X: x"))).isNull();
        assertThat(notForSockets.shownBy(request("/", HANDSHAKE + "Sec-WebSocket-Protocol: bearer, alice")))
                .isNull();
    }

    @Test
    void tokensOfAnyLengthThatIsSensibleAreKnown() {
        String longest = "x".repeat(4096);
        Tokens known = knowing(longest, longest + 'x');

        assertThat(known.find(longest).caller()).isEqualTo(longest);
        assertThat(known.find(longest + 'x')).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            v1, v2                  | v1
            v0, v2, bearer, t, v1   | v2
            v0, bearer, t           | bearer
            bearer, v1              | bearer
            v0                      | -
            """)
    void agreesOnASubprotocolAndNeverOnAToken(String offered, String agreed) {
        var request = request("/", "Sec-WebSocket-Protocol: " + offered);
        Subprotocols subprotocols = Subprotocols.of(request.headers());

        assertThat(subprotocols.agreed(Set.of("v1", "v2"))).isEqualTo(agreed);
        assertThat(subprotocols.toString()).doesNotContain("t");
    }

    @Test
    void noOfferMeansNoSubprotocol() {
        assertThat(Subprotocols.of(request("/", "X: x").headers()).agreed(Set.of("v1"))).isNull();
    }

    private String callerOf(HttpRequest request) {
        Credential shown = tokens.access(Optional.empty()).toSockets().shownBy(request);
        return shown == null ? null : shown.caller();
    }

    private static HttpRequest request(String target, String headers) {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
        for (String header : headers.split("; ")) {
            String[] field = header.split(":", 2);
            request.headers().add(field[0], field[1].strip());
        }
        return request;
    }

    /** Returns tokens each of which equals its name. */
    static Tokens knowing(String... tokens) {
        Map<String, TokenConfig> config = new LinkedHashMap<>();
        for (String token : tokens) {
            config.put(token, new TokenConfig(new Sha256(sha256(token))));
        }
        return new Tokens(config);
    }

    static String sha256(String token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                    .digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
