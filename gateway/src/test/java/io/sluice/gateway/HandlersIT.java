package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.offload.PoolScrape;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Handlers that need no database. */
class HandlersIT {
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.start("""
                sluice.offload.pools.few { workers = 1, queue-limit = 1, deadline = 9s }
                sluice.routes {
                  text { path = "/text", handler = text, text = "käse", status = 203, content-type = a/b }
                  empty { path = "/empty", handler = text, text = "" }
                  json { path = "/json", handler = json, body { a = [1, 2.5, null, true], b { c = "\\"" } } }
                  at { path = "/at", handler = json, timestamp = now, body { a = 1 } }
                  at-only { path = "/at-only", handler = json, timestamp = now, body {} }
                  echo { path = "/echo/**", methods = [GET, POST], handler = echo }
                  fibonacci { path = "/fibonacci", handler = cpu, algorithm = fibonacci, default = 10,
                    inline-limit = 20, pool = few }
                  sieve { path = "/sieve", handler = cpu, algorithm = sieve, default = 10, inline-limit = 20,
                    pool = few }
                  timer { path = "/timer", handler = delay, duration = 3ms, max = 5s, fibonacci = 9 }
                  sleep { path = "/sleep", handler = delay, duration = 3ms, max = 5s, mode = blocking,
                    pool = few }
                }
                """);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void answerATextAsConfigured() throws Exception {
        HttpResponse<String> answer = gateway.get("/text");

        assertThat(answer.statusCode()).isEqualTo(203);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("a/b");
        assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(5);
        assertThat(answer.body()).isEqualTo("käse");
        assertThat(gateway.get("/empty").body()).isEmpty();
    }

    @Test
    void jsonObjectHasTheTimeIfConfigured() throws Exception {
        assertThat(gateway.get("/json").body()).isEqualTo("{\"a\":[1,2.5,null,true],\"b\":{\"c\":\"\\\"\"}}");
        for (String target : new String[] {"/at", "/at-only"}) {
            long before = System.currentTimeMillis();
            JsonNode answer = json(gateway.get(target));
            assertThat(answer.get("now").asLong()).isBetween(before, System.currentTimeMillis());
            assertThat(answer.has("a")).isEqualTo(target.equals("/at"));
        }
    }

    @Test
    void describeARequestWithoutABody() throws Exception {
        JsonNode answer = json(gateway.send(gateway.request("/echo/a%20b?c=%22d").header("X-A", "e\"f")));

        assertThat(answer.get("method").asString()).isEqualTo("GET");
        assertThat(answer.get("target").asString()).isEqualTo("/echo/a%20b?c=%22d");
        assertThat(answer.get("path").asString()).isEqualTo("/echo/a b");
        assertThat(answer.get("version").asString()).isEqualTo("HTTP/1.1");
        assertThat(answer.get("client").asString()).isEqualTo("127.0.0.1");
        assertThat(answer.get("headers").toString()).contains("{\"name\":\"X-A\",\"value\":\"e\\\"f\"}");
    }

    @Test
    void sendABodyBackAsItIs() throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request("/echo").header("Content-Type", "a/b")
                .POST(HttpRequest.BodyPublishers.ofString("größe".repeat(20_000))));

        assertThat(answer.headers().firstValue("Content-Type")).hasValue("a/b");
        assertThat(answer.body()).isEqualTo("größe".repeat(20_000));
        assertThat(gateway.post("/echo", "x").headers().firstValue("Content-Type"))
                .hasValue("application/octet-stream");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "/fibonacci                 | {\"n\":10,\"result\":55}",
        "/fibonacci?n=0             | {\"n\":0,\"result\":0}",
        "/fibonacci?n=20            | {\"n\":20,\"result\":6765}",
        "/fibonacci?n=21            | {\"n\":21,\"result\":10946}",
        "/fibonacci?n=90            | {\"n\":90,\"result\":2880067194370816120}",
        "/fibonacci?other=1&n=1     | {\"n\":1,\"result\":1}",
        "/sieve                     | {\"n\":10,\"result\":4}",
        "/sieve?n=1                 | {\"n\":1,\"result\":0}",
        "/sieve?n=100               | {\"n\":100,\"result\":25}",
        "/timer?ms=0                | {\"delayMs\":0,\"fibonacci\":34}",
        "/timer                     | {\"delayMs\":3,\"fibonacci\":34}",
        "/sleep?ms=5                | {\"delayMs\":5}",
    })
    void takeANumber(String target, String answer) throws Exception {
        assertThat(gateway.get(target).body()).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fibonacci?n=", "/fibonacci?n=-1", "/fibonacci?n=91", "/fibonacci?n=1e1",
        "/fibonacci?n=0x1", "/fibonacci?n=9999999999999999999", "/fibonacci?n=%20", "/fibonacci?n=%zz",
        "/fibonacci?n=1;n=2", "/fibonacci?n=%D9%A3", "/sieve?n=10000001", "/timer?ms=5001", "/sleep?ms=a"})
    void invalidOrOutOfRangeNumbersGet400(String target) throws Exception {
        try (RawClient client = gateway.connect()) {
            RawClient.Answer answer = client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Connection")).isNull();
        }
    }

    @Test
    void freeTheirWorkerWhenTheClientGoesAway() throws Exception {
        var pool = new PoolScrape(gateway.adminPort(), "few");
        int before = pool.cancelled();
        String sleep = "GET /sleep?ms=5000 HTTP/1.1\r\nHost: a\r\n\r\n";
        try (RawClient running = gateway.connect(); RawClient waiting = gateway.connect()) {
            running.send(sleep);
            await().until(() -> pool.busy() == 1);
            waiting.send(sleep);
            await().until(() -> pool.queued() == 1);
            assertThat(gateway.get("/sleep?ms=0").statusCode()).isEqualTo(503);
        }

        await().until(() -> pool.isIdle() && pool.cancelled() == before + 2);
        assertThat(gateway.get("/sleep?ms=0").statusCode()).isEqualTo(200);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        return JsonMapper.shared().readTree(answer.body());
    }
}
