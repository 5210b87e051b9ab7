package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.offload.PoolScrape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Requests of all kinds over a real WebSocket, and requests in progress when it closes. */
class RpcIT {
    private static final String SLEEP = "{'path':'/sleep'}";

    private static final String OF_SECRET =
            "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private RunningGateway gateway;

    @BeforeEach
    void start() {
        gateway = RunningGateway.start("""
                sluice.lifecycle.drain-timeout = 30s
                sluice.offload.pools.jdbc { workers = 1, queue-limit = 1, deadline = 60s }
                sluice.databases.main {
                  url = "jdbc:h2:mem:rpc;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE", user = sluice, pool = jdbc
                  init-script = "sample-h2.sql"
                }
                sluice.handler-defaults { query.database = main, cpu.pool = jdbc }
                sluice.route-defaults.deadline = 60s
                sluice.tokens.alice.sha256 = %s
                sluice.routes {
                  rpc { path = "/rpc", handler = ws-rpc, max-answer = 128KiB }
                  one { path = "/rpc/one", handler = ws-rpc, max-in-flight = 1 }
                  socket { path = "/socket", handler = ws-echo }
                  text { path = "/text", handler = text, text = "käse" }
                  large { path = "/large", handler = text, text = "%s" }
                  echo { path = "/echo/**", methods = [GET, POST], handler = echo }
                  delay { path = "/delay", handler = delay }
                  fibonacci { path = "/fibonacci", handler = cpu, algorithm = fibonacci, inline-limit = 0 }
                  sleep { path = "/sleep", handler = query
                    sql = "SELECT max(sleep(1)) AS slept FROM system_range(1, 30000)" }
                  add { path = "/add/{a}", handler = query, sql = "SELECT :a + :b AS c", single = true
                    methods = [POST], parameters { a { type = long }, b { type = long, from = body } } }
                  rows { path = "/rows", handler = query, row-limit = 1000000, parameters.n.type = long
                    sql = "SELECT x, '0123456789' AS y FROM system_range(1, :n) AS r(x)" }
                  me { path = "/me", handler = query, single = true, sql = "SELECT CAST(:me AS VARCHAR) AS me"
                    parameters.me { type = text, from = caller } }
                  secret { path = "/secret", handler = text, text = "s", tokens = [alice] }
                }
                """.formatted(OF_SECRET, "0123456789abcdef".repeat(4096)));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** They would be kept for as long as the socket. */
    @Test
    void longFieldsOfAHandshakeAreRefused() throws Exception {
        try (var client = new RawClient(gateway.port())) {
            RawClient.Answer answer = client.send("GET /rpc HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                    + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "User-Agent: " + "x".repeat(2048) + "\r\n\r\n").read();
            assertThat(answer.status()).isEqualTo(431);
            assertThat(answer.body()).contains("2049 bytes in", "expected: at most 2048");
        }
    }

    @Test
    void anyRouteIsServed() throws Exception {
        try (var client = new RpcClient(gateway)) {
            assertThat(client.ask("{'id':1,'path':'/text'}")).hasToString(
                    "{\"id\":1,\"status\":200,\"body\":\"käse\"}");
            assertThat(client.ask("{'id':'x','path':'/add/1','method':'POST','body':{'b':41}}")).hasToString(
                    "{\"id\":\"x\",\"status\":200,\"body\":{\"c\":42}}");
            assertThat(client.ask("{'path':'/fibonacci','query':{'n':10}}").get("body").get("result").asInt())
                    .isEqualTo(55);
            assertThat(client.ask("{'path':'/echo','method':'POST','body':[1, 'ü']}").get("body"))
                    .hasToString("[1,\"ü\"]");
            assertThat(client.ask("{'path':'/rows','query':{'n':2000}}").get("body").size()).isEqualTo(2000);
            assertThat(client.ask("{'path':'/add/x','method':'POST','body':{'b':41}}").get("status").asInt())
                    .isEqualTo(400);
            JsonNode echo = client.ask("{'path':'/echo/me'}").get("body");
            assertThat(echo.get("requestId").asString()).endsWith("-7");
            assertThat(echo.get("headers").toString()).contains("\"host\"").contains("Java");
        }
    }

    @Test
    void answersOvertakeEachOther() throws Exception {
        try (var client = new RpcClient(gateway)) {
            for (int id : List.of(1300, 1)) {
                client.send("{'id':%d,'path':'/delay','query':{'ms':%1$d}}".formatted(id));
            }
            assertThat(List.of(client.answer().get("id").asInt(), client.answer().get("id").asInt()))
                    .containsExactly(1, 1300);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void disconnectCancelsQueriesOfTheSocket(boolean properly) throws Exception {
        var pool = new PoolScrape(gateway.adminPort(), "jdbc");
        try (var client = new RpcClient(gateway)) {
            client.send(SLEEP);
            client.send(SLEEP);
            await().until(() -> pool.queued() == 1);

            if (properly) {
                client.socket().closeProperly();
            }
        }
        await().until(pool::isIdle);
        assertThat(gateway.get("/rows?n=1").statusCode()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body())
                .containsPattern("http_server_requests_seconds_count.*status=\"499\",uri=\"/sleep\"} 2"));
    }

    @Test
    void anAnswerThatIsTooLargeIsCutAndItsWorkerFreed() throws Exception {
        try (var client = new RpcClient(gateway)) {
            for (int i = 0; i < 5; i++) {
                JsonNode answer = client.ask("{'id':1,'path':'/rows','query':{'n':100000}}");
                assertThat(answer.get("status").asInt()).isEqualTo(500);
                assertThat(answer.get("body").get("detail").asString()).contains("max-answer");
                assertThat(client.ask("{'path':'/rows','query':{'n':1}}").get("status").asInt())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aSocketDoesNotOpenWithinAnother() throws Exception {
        try (var client = new RpcClient(gateway)) {
            assertThat(client.ask("{'path':'/socket'}").get("status").asInt()).isEqualTo(426);
            assertThat(client.ask("{'path':'/rpc'}").get("status").asInt()).isEqualTo(426);
        }
    }

    @Test
    void requestsHaveTheTokenOfTheirSocket() throws Exception {
        try (var anybody = new RpcClient(gateway);
                var alice = new RpcClient(gateway, "Authorization", "Bearer secret")) {
            assertThat(anybody.ask("{'path':'/secret'}").get("status").asInt()).isEqualTo(401);
            assertThat(alice.ask("{'path':'/secret'}").get("body").asString()).isEqualTo("s");
            assertThat(anybody.ask("{'path':'/me'}").get("status").asInt()).isEqualTo(401);
            assertThat(alice.ask("{'path':'/me'}").get("body")).hasToString("{\"me\":\"alice\"}");
        }
    }

    @Test
    void aClientThatDoesNotReadWaitsAndGetsEverything() throws Exception {
        int requests = 1000;
        try (var client = new RpcClient(SocketClient.stalled(gateway, "/rpc"))) {
            var sent = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < requests; i++) {
                    client.send("{'id':" + i + ",'path':'/large'}");
                }
            });
            // The server goes on serving others while this client does not read.
            assertThat(gateway.get("/text").body()).isEqualTo("käse");
            client.socket().read();
            for (int i = 0; i < requests; i++) {
                assertThat(client.answer().get("id").asInt()).isEqualTo(i);
            }
            sent.join();
        }
    }

    /** The message is compressed to about a kibibyte. */
    @ParameterizedTest
    @ValueSource(strings = {"'query':{'a':[%s]}", "'query':{'a':'%s'}", "'path':'/%s'"})
    void aTargetHasTheBoundsOfHttp(String member) throws Exception {
        try (var client = new RpcClient(gateway)) {
            String message = "{'id':7,'path':'/text'," + member.formatted("1,".repeat(500_000) + 1) + "}";
            assertThat(client.ask(message.replace("'path':'/text','path'", "'path'")).get("status").asInt())
                    .isIn(400, 414);
            assertThat(client.ask("{'id':8,'path':'/text'}").get("id").asInt()).isEqualTo(8);
        }
    }

    @Test
    void responsesAreInOrderWithConcurrencyOne() throws Exception {
        try (var client = new RpcClient(SocketClient.connect(gateway, "/rpc/one"))) {
            for (int id : List.of(60, 1, 30, 0)) {
                client.send("{'id':%d,'path':'/delay','query':{'ms':%1$d}}".formatted(id));
            }
            var ids = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                ids.add(client.answer().get("id").asInt());
            }
            assertThat(ids).containsExactly(60, 1, 30, 0);
        }
    }

    @Test
    void drainWaitsForRunningRequests() throws Exception {
        try (var client = new RpcClient(gateway)) {
            client.send("{'id':1,'path':'/delay','query':{'ms':1700}}");
            int first = client.ask("{'id':2,'path':'/text'}").get("id").asInt();

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::stop);

            assertThat(List.of(first, client.answer().get("id").asInt())).containsExactlyInAnyOrder(1, 2);
            assertThat(client.socket().closeCode()).isEqualTo(1001);
            stopped.join();
        }
    }
}
