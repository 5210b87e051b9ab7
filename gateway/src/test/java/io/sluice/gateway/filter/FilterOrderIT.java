package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.tls.TestCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** The order of a route's filters: for a request with several mistakes, the outermost filter answers. */
class FilterOrderIT {
    private static final String PAGE = "https://app.example.com";
    private static final String TOKEN = "alice-4f1c09b2";
    private static final int MAX_BODY = 64;

    private static RunningGateway gateway;
    private static HttpClient client;

    @BeforeAll
    static void start(@TempDir Path folder) {
        gateway = RunningGateway.start("""
                sluice {
                  tls { %s }
                  tokens.alice.sha256 = %s
                  routes {
                    all { path = /all, methods = [POST], handler = text, text = "%s"
                          cors.origins = ["%s"], tokens = [alice], max-body = %d, compression = {} }
                    rpc { path = /rpc, handler = ws-rpc, socket.origins = ["*"] }
                  }
                }
                """.formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST),
                TokensTest.sha256(TOKEN), "hi ".repeat(1000), PAGE, MAX_BODY));
        client = HttpClient.newBuilder().sslContext(TestCertificates.client()).build();
    }

    @AfterAll
    static void stop() {
        client.shutdownNow();
        gateway.close();
    }

    private static HttpResponse<String> ask(Version version, String method, int body, String... headers)
            throws IOException, InterruptedException {
        URI uri = URI.create("https://localhost:" + gateway.tlsPort() + "/all");
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).version(version)
                .method(method, BodyPublishers.ofString("x".repeat(body))).headers(headers).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.version()).isEqualTo(version);
        return answer;
    }

    private static String header(HttpResponse<String> answer, String name) {
        return String.join(" & ", answer.headers().allValues(name));
    }

    @ParameterizedTest
    @EnumSource
    void filtersRunInOrderOverHttp(Version version) throws Exception {
        var wrong = new ArrayList<>(List.of("Origin", "https://evil.example", "X-Request-Timeout", "soon",
                "Accept-Encoding", "gzip"));
        HttpResponse<String> foreign = ask(version, "POST", MAX_BODY + 1, wrong.toArray(String[]::new));
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.body()).contains("cors.origins");
        assertThat(header(foreign, "Access-Control-Allow-Origin")).isEmpty();

        wrong.set(1, PAGE);
        assertAnswers(400, ask(version, "POST", MAX_BODY + 1, wrong.toArray(String[]::new)));
        wrong.set(3, "30s");
        assertAnswers(401, ask(version, "POST", MAX_BODY + 1, wrong.toArray(String[]::new)));
        wrong.addAll(List.of("Authorization", "Bearer " + TOKEN));
        assertAnswers(413, ask(version, "POST", MAX_BODY + 1, wrong.toArray(String[]::new)));

        HttpResponse<String> right = ask(version, "POST", MAX_BODY, wrong.toArray(String[]::new));
        assertThat(header(right, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(right, "Vary")).isEqualTo("accept-encoding, origin");
    }

    /** Checks the status, and that an allowed origin may read errors, too. */
    private static void assertAnswers(int status, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo(PAGE);
        assertThat(header(answer, "Content-Encoding")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void preflightBypassesTheFilters(Version version) throws Exception {
        HttpResponse<String> answer = ask(version, "OPTIONS", 0, "Origin", PAGE,
                "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(header(answer, "Access-Control-Allow-Headers")).isEqualTo("authorization");
    }

    /** Origin and token come from the socket's handshake, since requests over it have no other headers. */
    @Test
    void filtersRunInOrderOverASocket() throws Exception {
        assertThat(askOnSocket(MAX_BODY + 1, "Origin", "https://evil.example")).isEqualTo(403);
        assertThat(askOnSocket(MAX_BODY + 1, "Origin", PAGE)).isEqualTo(401);
        String authorization = "Bearer " + TOKEN;
        assertThat(askOnSocket(MAX_BODY + 1, "Origin", PAGE, "Authorization", authorization)).isEqualTo(413);
        assertThat(askOnSocket(MAX_BODY, "Origin", PAGE, "Authorization", authorization)).isEqualTo(200);
    }

    private static int askOnSocket(int body, String... headers) throws InterruptedException {
        try (SocketClient socket = SocketClient.connect(gateway, "/rpc", headers)) {
            socket.send("{\"method\":\"POST\",\"path\":\"/all\",\"body\":\"%s\"}"
                    .formatted("x".repeat(body - 2))); // the two quotes count as well
            return JsonMapper.shared().readTree(socket.next()).get("status").asInt();
        }
    }
}
