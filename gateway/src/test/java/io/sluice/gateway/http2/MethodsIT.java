package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.proxy.ByteOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request methods of routes to upstreams, from clients of HTTP/1.1, HTTP/2 and ws-rpc. */
class MethodsIT {
    private static final String ALL = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, PROPFIND, REPORT";

    private static ByteOrigin origin;
    private static RunningGateway gateway;

    /** The parts of a response that are compared. */
    private record Answer(int status, String body, String allow) {
    }

    private enum Protocol {
        HTTP1 {
            @Override
            Answer ask(String method, String target, String... fields) throws IOException {
                var head = new StringBuilder(method + ' ' + target + " HTTP/1.1\r\nHost: a\r\n");
                for (int i = 0; i < fields.length; i += 2) {
                    head.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
                }
                try (RawClient client = gateway.connect()) {
                    RawClient.Answer answer = client.send(head + "Content-Length: 3\r\n\r\nabc").read();
                    return new Answer(answer.status(), answer.body(), answer.header("allow"));
                }
            }
        },
        HTTP2 {
            @Override
            Answer ask(String method, String target, String... fields) throws IOException {
                try (FrameClient client = FrameClient.greet(gateway.connect())) {
                    client.send(headers(1, false, request(method, target, fields)), data(1, true, "abc"));
                    FrameClient.Answer answer = client.answer(1);
                    return new Answer(answer.status(), answer.body(), answer.headers().get("allow"));
                }
            }
        };

        abstract Answer ask(String method, String target, String... fields) throws IOException;
    }

    @BeforeAll
    static void start() throws IOException {
        origin = ByteOrigin.playing(connection -> {
            for (String request = connection.request(); request != null; request = connection.request()) {
                String line = request.lines().findFirst().orElseThrow();
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + line.length() + "\r\n\r\n" + line);
            }
        });
        gateway = RunningGateway.start("""
                sluice.upstreams.shop.endpoints = ["http://127.0.0.1:%d"]
                sluice.tokens.alice.sha256 = "%s"
                sluice.routes {
                  all { path = "/all/**", handler = proxy, upstream = shop }
                  own { path = "/all/own", handler = text, text = own }
                  same { path = "/all/**", methods = [PUT], handler = echo }
                  some { path = "/some", handler = proxy, upstream = shop, methods = [GET, REPORT, PROPFIND] }
                  text { path = "/text", handler = text, text = own }
                  pages { path = "/pages", handler = proxy, upstream = shop, tokens = [alice]
                    cors { origins = ["https://app.example.com"], credentials = true } }
                  rpc { path = "/rpc", handler = ws-rpc }
                }
                """.formatted(origin.port(), "0".repeat(64)));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    private static List<String> passedOn(String method) {
        return origin.requests().stream().filter(request -> request.startsWith(method + ' ')).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROPFIND", "MKCOL", "QUERY", "VERSION-CONTROL", "get", "Trace", "PRI", "*",
        "!#$%&'*+-.^_`|~9"})
    void unknownMethodsArePassedOnUnchanged(String method) throws IOException {
        for (Protocol protocol : Protocol.values()) {
            Answer answer = protocol.ask(method, "/all/a?b=" + protocol);

            String line = method + " /all/a?b=" + protocol + " HTTP/1.1";
            assertThat(answer).isEqualTo(new Answer(200, line, null));
            assertThat(passedOn(method).getLast()).startsWith(line + "\r\n").contains("\r\nabc");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET      | /all/own | 200 | own                          |
            PUT      | /all/a   | 200 | abc                          |
            HEAD2    | /all/own | 200 | HEAD2 /all/own HTTP/1.1      |
            REPORT   | /some    | 200 | REPORT /some HTTP/1.1        |
            OPTIONS  | /all/a   | 200 | OPTIONS /all/a HTTP/1.1      |
            OPTIONS  | /some    | 204 | ''                           | GET, HEAD, OPTIONS, PROPFIND, REPORT
            MKCOL    | /some    | 405 | this path is for GET         | GET, HEAD, OPTIONS, PROPFIND, REPORT
            get      | /some    | 405 | this path is for GET         | GET, HEAD, OPTIONS, PROPFIND, REPORT
            MKCOL    | /text    | 405 | this path is for GET         | GET, HEAD, OPTIONS
            TRACE    | /all/a   | 405 | this path is for GET         | GET, HEAD, POST, PUT, PATCH, DELETE, \
            OPTIONS, PROPFIND, REPORT
            TRACE    | /some    | 405 | this path is for GET         | GET, HEAD, OPTIONS, PROPFIND, REPORT
            MKCOL    | /nowhere | 404 | no route for this path       |
            """)
    void areThoseOfTheRouteOfThePath(String method, String target, int status, String body, String allow)
            throws IOException {
        for (Protocol protocol : Protocol.values()) {
            Answer answer = protocol.ask(method, target);

            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(answer.body()).contains(body);
            assertThat(answer.allow()).isEqualTo(allow);
        }
        assertThat(passedOn("TRACE")).isEmpty();
    }

    /** Such a method could be a second request for an HTTP/1.1 server. */
    @ParameterizedTest
    @ValueSource(strings = {"A(B", "A\"B", "A\u00e4B", "A /all/a HTTP/1.1\r\nX: y\r\n\r\nGET", "A B", " A"})
    void thatAreNoTokensAreRefused(String method) throws IOException {
        int before = origin.requests().size();
        if (method.indexOf(' ') < 0) {
            assertThat(Protocol.HTTP1.ask(method, "/all/a").status()).isEqualTo(400);
        }

        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(headers(1, true, request(method, "/all/a")));
            assertThat(client.resetOf(1)).isEqualTo(Frame.PROTOCOL_ERROR);
        }
        assertThat(origin.requests()).hasSize(before);
    }

    @ParameterizedTest
    @EnumSource
    void ofOptionsAreAnsweredHereForTheLastProxy(Protocol protocol) throws IOException {
        assertThat(protocol.ask("OPTIONS", "/all/last", "max-forwards", "0"))
                .isEqualTo(new Answer(204, "", ALL));
        assertThat(protocol.ask("OPTIONS", "/nowhere", "max-forwards", "0").status()).isEqualTo(404);
        assertThat(passedOn("OPTIONS")).noneMatch(request -> request.contains("/all/last"));
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, 1, 0", "OPTIONS, 0000000007, 6", "OPTIONS, 99999999999999999999, 999999999",
        "OPTIONS, x, x", "PROPFIND, 0, 0"})
    void ofOptionsCountProxies(String method, String received, String sent) throws IOException {
        for (Protocol protocol : Protocol.values()) {
            assertThat(protocol.ask(method, "/all/a", "max-forwards", received).status()).isEqualTo(200);
            assertThat(passedOn(method).getLast())
                    .containsIgnoringCase("\r\nmax-forwards: " + sent + "\r\n");
        }
    }

    @Test
    void areAllAllowedToPagesByTheGatewayItself() throws IOException {
        try (RawClient client = gateway.connect()) {
            String preflight = "OPTIONS /pages HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example.com\r\n"
                    + "Access-Control-Request-Method: PROPFIND\r\n\r\n";
            RawClient.Answer answer = client.send(preflight).read();

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo("PROPFIND");
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example.com");

            answer = client.send(preflight.replace("app.", "evil.")).read();
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.headers()).noneMatch(header -> header.startsWith("access-control"));
        }
        assertThat(passedOn("OPTIONS")).noneMatch(request -> request.contains("/pages"));
        assertThat(Protocol.HTTP1.ask("OPTIONS", "/pages").status()).isEqualTo(401);
    }

    @Test
    void unknownMethodsAreServedOverWebSockets() throws Exception {
        try (SocketClient client = SocketClient.connect(gateway, "/rpc")) {
            assertThat(client.send("{\"id\":1,\"method\":\"SEARCH\",\"path\":\"/all/a\"}").next())
                    .isEqualTo("{\"id\":1,\"status\":200,\"body\":\"SEARCH /all/a HTTP/1.1\"}");
        }
    }

    @Test
    void thatAreNotStandardAreOneForMeters() throws Exception {
        for (String method : List.of("PURGE", "BAN")) {
            Protocol.HTTP1.ask(method, "/all/a");
        }

        for (String meter : List.of("http_server_requests", "http_client_requests")) {
            await().untilAsserted(() -> assertThat(methods(meter))
                    .contains("UNKNOWN").doesNotContain("PURGE", "BAN", "OTHER"));
        }
    }

    private static List<String> methods(String meter) throws Exception {
        var methods = new ArrayList<String>();
        gateway.getAdmin("/metrics").body().lines().filter(line -> line.startsWith(meter + "_seconds_count{"))
                .forEach(line -> methods.add(line.replaceAll(".*method=\"([^\"]*)\".*", "$1")));
        return methods;
    }
}
