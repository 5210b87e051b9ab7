package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CORS: requests of browsers for pages of other origins. */
class CorsIT {
    private static final String APP = "https://app.example.com";
    private static final String OF_SECRET =
            "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    private static final String PREFLIGHT = "Access-Control-Request-Method: ";
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.start("""
                sluice.offload.pools.few { workers = 1, queue-limit = 0, deadline = 9s }
                sluice.upstreams.nobody.endpoints = ["http://127.0.0.1:1"]
                sluice.tokens.alice.sha256 = %s
                sluice.route-defaults.cors.origins = ["https://app.example.com", "http://localhost:*"]
                sluice.routes {
                  text { path = "/text", handler = text, text = hi }
                  post { path = "/text", methods = [POST, PUT], handler = echo
                    cors { origins = ["https://admin.example.com"], credentials = true, max-age = 5s
                      headers = [Content-Type, X-A], expose = [X-B, X-C] } }
                  any { path = "/any", handler = text, text = hi, cors.origins = ["*"] }
                  none { path = "/none", handler = text, text = hi, cors = null }
                  change { path = "/change", methods = [GET, POST, DELETE], handler = echo, cors = null }
                  any-change { path = "/any-change", methods = [POST], handler = echo, cors.origins = ["*"] }
                  self { path = "/self", handler = text, text = hi, cors.origins = [self] }
                  secret { path = "/secret", handler = text, text = secret, tokens = [alice] }
                  slow { path = "/slow", handler = delay, deadline = 50ms }
                  busy { path = "/busy", handler = delay, mode = blocking, pool = few }
                  own { path = "/own", methods = [GET, OPTIONS], handler = echo }
                  api { path = "/web/api", methods = [GET, PUT], handler = echo }
                  web { path = "/web/**", handler = proxy, upstream = nobody, cors = null }
                  packed { path = "/packed", handler = text, text = "%s", compression = {} }
                }
                """.formatted(OF_SECRET, "hi ".repeat(1000)));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static RawClient.Answer ask(String method, String target, String... headers) throws IOException {
        try (RawClient client = gateway.connect()) {
            return client.send(method + ' ' + target + " HTTP/1.1\r\nHost: a.example:8080\r\n"
                    + String.join("\r\n", headers) + (headers.length > 0 ? "\r\n" : "") + "\r\n").read();
        }
    }

    private static void assertNothingAllowed(RawClient.Answer answer) {
        assertThat(answer.headers()).noneMatch(header -> header.toLowerCase().startsWith("access-control"));
    }

    @ParameterizedTest
    @ValueSource(strings = {APP, "http://localhost:5173", "http://localhost"})
    void allowedOriginIsReturned(String origin) throws IOException {
        RawClient.Answer answer = ask("GET", "/text", "Origin: " + origin);

        assertThat(answer.body()).isEqualTo("hi");
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(origin);
        assertThat(answer.header("Access-Control-Expose-Headers"))
                .isEqualTo("X-Request-Id, Retry-After, ETag, Location, Link, X-Total-Count, Row-Limit, "
                        + "Truncated, Idempotent-Replayed, Accept-Ranges, Content-Range");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
        assertThat(answer.header("Vary")).isEqualTo("origin");
    }

    @Test
    void anUpstreamCannotAllowMoreThanItsRoute() throws IOException {
        try (var proxy = ProxyBed.start("sluice.routes.all.cors.origins = [\"" + APP + "\"]",
                ByteOrigin.answering("HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\n"
                        + "Access-Control-Allow-Credentials: true\r\nAccess-Control-Expose-Headers: *\r\n"
                        + "Content-Length: 2\r\n\r\nok"))) {
            assertNothingAllowed(proxy.get("/", "Origin: https://evil.example"));
            RawClient.Answer answer = proxy.get("/", "Origin: " + APP);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
            assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: https://evil.example", "Origin: https://app.example.com.evil.example",
        "Origin: http://app.example.com", "Origin: https://app.example.com:444", "Origin: null", "Origin: *",
        "Origin: http://localhost:80a", "Origin: ", "X: y",
        "Origin: https://app.example.com\r\nOrigin: https://app.example.com"})
    void disallowedOriginsHaveNoCorsHeaders(String origin) throws IOException {
        RawClient.Answer answer = ask("GET", "/text", origin);

        assertThat(answer.body()).isEqualTo("hi");
        assertThat(answer.header("Vary")).isEqualTo("origin");
        assertNothingAllowed(answer);
        assertNothingAllowed(ask("OPTIONS", "/text", origin, PREFLIGHT + "GET"));
    }

    @Test
    void wildcardOriginGetsTheSameHeadersForAll() throws IOException {
        for (String origin : new String[] {"Origin: https://whoever.example", "Origin: null", "X: y"}) {
            RawClient.Answer answer = ask("GET", "/any", origin);

            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(answer.header("Vary")).isNull();
        }
        RawClient.Answer asked = ask("OPTIONS", "/any", "Origin: null", PREFLIGHT + "GET",
                "Access-Control-Request-Headers: authorization,x-a");
        assertThat(asked.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(asked.header("Access-Control-Allow-Headers")).isEqualTo("authorization,x-a");
    }

    @Test
    void routesWithoutCorsHaveNoCorsHeaders() throws IOException {
        RawClient.Answer answer = ask("GET", "/none", "Origin: " + APP);

        assertNothingAllowed(answer);
        assertThat(answer.header("Vary")).isNull();
        assertNothingAllowed(ask("OPTIONS", "/none", "Origin: " + APP, PREFLIGHT + "GET"));
        assertNothingAllowed(ask("GET", "/self", "Origin: http://b.example:8080"));
        assertThat(ask("GET", "/self", "Origin: http://a.example:8080").header("Access-Control-Allow-Origin"))
                .isEqualTo("http://a.example:8080");
    }

    @ParameterizedTest
    @CsvSource({"/secret, 401", "/slow, 504", "/slow?ms=x, 400"})
    void errorResponsesHaveCorsHeaders(String target, int status) throws IOException {
        RawClient.Answer answer = ask("GET", target, "Origin: " + APP);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
        assertThat(answer.header("Vary")).isEqualTo("origin");
    }

    @Test
    void overloadResponsesHaveCorsHeaders() throws IOException {
        try (RawClient busy = gateway.connect()) {
            busy.send("GET /busy?ms=9000 HTTP/1.1\r\nHost: a\r\n\r\n");
            await().untilAsserted(() -> {
                RawClient.Answer answer = ask("GET", "/busy?ms=0", "Origin: " + APP);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"/nothing, GET, 404", "/text, DELETE, 405"})
    void unroutedPathsHaveNoCorsHeaders(String target, String method, int status) throws IOException {
        RawClient.Answer answer = ask(method, target, "Origin: " + APP);

        assertThat(answer.status()).isEqualTo(status);
        assertNothingAllowed(answer);
    }

    // --- requests that change state

    /** For a form, or a body without a type, browsers send no preflight request. Host is a.example:8080. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /any-change | Origin: https://evil.example | 200
            POST   | /text   | X: no browser | 200
            POST   | /text   | Origin: https://admin.example.com | 200
            PUT    | /text   | Origin: http://a.example:8080 | 200
            POST   | /change | Origin: HTTP://A.example:8080 | 200
            POST   | /change | Origin: https://evil.example | 403
            DELETE | /change | Origin: https://evil.example | 403
            GET    | /change | Origin: https://evil.example | 200
            OPTIONS | /change | Origin: https://evil.example | 204
            POST   | /change | Origin: http://a.example | 403
            POST   | /change | Origin: null | 403
            POST   | /change | Origin: | 403
            POST   | /change | Origin: http://a.example:8080 & Origin: http://a.example:8080 | 403
            POST   | /text   | Origin: https://app.example.com | 403
            POST   | /change | Sec-Fetch-Site: cross-site | 403
            POST   | /change | Sec-Fetch-Site: same-site & Origin: https://a.example | 403
            POST   | /change | Sec-Fetch-Site: cross-site & Origin: http://a.example:8080 | 403
            POST   | /text   | Sec-Fetch-Site: cross-site & Origin: https://admin.example.com | 200
            POST   | /change | Sec-Fetch-Site: same-origin & Origin: https://behind.example | 200
            POST   | /change | Sec-Fetch-Site: none | 200
            """)
    void crossOriginChangesRequireADeclaredOrigin(String method, String target, String headers, int status)
            throws IOException {
        RawClient.Answer answer = ask(method, target, headers.replace(" & ", "\r\n"), "Content-Length: 0");

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        if (status == 403) {
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("cors.origins");
        }
    }

    // --- preflight requests

    @Test
    void preflightGetsTheAllowedMethodsAndHeaders() throws IOException {
        RawClient.Answer answer = ask("OPTIONS", "/text", "Origin: " + APP, PREFLIGHT + "GET",
                "Access-Control-Request-Headers: authorization", "Access-Control-Request-Headers: x-b");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
        assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo("GET, HEAD");
        assertThat(answer.header("Access-Control-Allow-Headers")).isEqualTo("authorization, x-b");
        assertThat(answer.header("Access-Control-Max-Age")).isEqualTo("600");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
        assertThat(answer.header("Access-Control-Expose-Headers")).isNull();
        assertThat(answer.header("Vary")).isEqualTo("origin");
        assertThat(ask("OPTIONS", "/text", "Origin: " + APP, PREFLIGHT + "HEAD")
                .header("Access-Control-Allow-Headers")).isNull();
    }

    @Test
    void preflightIsAnsweredByTheRouteOfTheRequestedMethod() throws IOException {
        String admin = "https://admin.example.com";
        RawClient.Answer answer = ask("OPTIONS", "/text", "Origin: " + admin, PREFLIGHT + "PUT",
                "Access-Control-Request-Headers: x-evil");

        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(admin);
        assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo("POST, PUT");
        assertThat(answer.header("Access-Control-Allow-Headers")).isEqualTo("Content-Type, X-A");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(answer.header("Access-Control-Max-Age")).isEqualTo("5");
        assertNothingAllowed(ask("OPTIONS", "/text", "Origin: " + APP, PREFLIGHT + "POST"));
        assertNothingAllowed(ask("OPTIONS", "/text", "Origin: " + admin, PREFLIGHT + "GET"));
        RawClient.Answer posted = ask("POST", "/text", "Origin: " + admin, "Content-Length: 0");
        assertThat(posted.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(posted.header("Access-Control-Expose-Headers")).isEqualTo("X-B, X-C");
    }

    @Test
    void aRouteForAnyMethodDoesNotAnswerForAnother() throws IOException {
        assertThat(ask("OPTIONS", "/web/api", "Origin: " + APP, PREFLIGHT + "PUT")
                .header("Access-Control-Allow-Methods")).isEqualTo("GET, HEAD, PUT");
        assertNothingAllowed(ask("OPTIONS", "/web/api", "Origin: " + APP, PREFLIGHT + "DELETE"));
        assertNothingAllowed(ask("OPTIONS", "/web/other", "Origin: " + APP, PREFLIGHT + "PUT"));
    }

    @Test
    void preflightNeedsNoToken() throws IOException {
        RawClient.Answer answer = ask("OPTIONS", "/secret", "Origin: " + APP, PREFLIGHT + "GET",
                "Access-Control-Request-Headers: authorization");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Access-Control-Allow-Headers")).isEqualTo("authorization");
        RawClient.Answer secret = ask("GET", "/secret", "Origin: " + APP, "Authorization: Bearer secret");
        assertThat(secret.header("Access-Control-Allow-Origin")).isEqualTo(APP);
    }

    @ParameterizedTest
    @ValueSource(strings = {PREFLIGHT + "DELETE", PREFLIGHT + "get", PREFLIGHT + "G ET", PREFLIGHT + "*",
        PREFLIGHT, PREFLIGHT + "GET, POST", "X: y"})
    void invalidPreflightIsAnsweredAsOptions(String header) throws IOException {
        RawClient.Answer answer = ask("OPTIONS", "/text", "Origin: " + APP, header);

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD, POST, PUT, OPTIONS");
        assertNothingAllowed(answer);
    }

    @Test
    void aRouteForOptionsAnswersThemItself() throws IOException {
        RawClient.Answer answer = ask("OPTIONS", "/own", "Origin: " + APP, PREFLIGHT + "GET");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("\"method\":\"OPTIONS\"");
        assertThat(answer.header("Access-Control-Allow-Methods")).isNull();
    }

    @Test
    void varyListsOriginAndAcceptEncoding() throws IOException {
        RawClient.Answer answer = ask("GET", "/packed", "Origin: " + APP, "Accept-Encoding: gzip");

        assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(answer.header("Vary")).isEqualTo("accept-encoding, origin");
    }
}
