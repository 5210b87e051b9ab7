package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Programs over WebSockets, run without a sandbox so that the test works everywhere. The sandbox has tests of
 * its own.
 */
class CodeIT {
    private static final String ROUTES = """
            sluice {
              offload.pools.programs { workers = 2, queue-limit = 2, deadline = 2m }
              routes {
                code { path = "/ws/code", handler = ws-code, pool = programs, deadline = 2m, %s }
                hello { path = "/hello", handler = text, text = hello }
              }
            }
            """;
    private static final String UNTIL_KILLED = "while True: pass";

    private static RunningGateway start(String settings) {
        return start(settings, "");
    }

    private static RunningGateway start(String settings, String others) {
        return RunningGateway.start(ROUTES.formatted(
                "program { sandbox = none, warm = 0, wall-time = 1m }, " + settings) + others);
    }

    private static String program(String code, String input) {
        return JsonMapper.shared().createObjectNode().put("code", code).put("input", input).toString();
    }

    private static JsonNode next(SocketClient client) throws InterruptedException {
        return JsonMapper.shared().readTree(client.next());
    }

    private static double gauge(RunningGateway gateway, String name) throws Exception {
        return gateway.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_offload_" + name) && line.contains("programs"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    @Test
    void returnsOutputAndExitCodeOfAProgram() throws Exception {
        try (var gateway = start(""); var client = SocketClient.connect(gateway, "/ws/code")) {
            client.send(program("import sys\nprint(input().upper())\nsys.exit('nö')", "rock\n"));

            JsonNode answer = next(client);
            assertThat(answer.propertyNames()).containsExactly("exitCode", "stdout", "stderr", "timedOut",
                    "truncated", "durationMs");
            assertThat(answer.get("exitCode").intValue()).isEqualTo(1);
            assertThat(answer.get("stdout").stringValue()).isEqualTo("ROCK\n");
            assertThat(answer.get("stderr").stringValue()).isEqualTo("nö\n");
            assertThat(answer.get("timedOut").booleanValue()).isFalse();
        }
    }

    /** Escapes make JSON of 6 MiB out of it. */
    @Test
    void aLargeResultIsWrittenBesideTheEventLoop() throws Exception {
        try (var gateway = start("program.output = 1MiB");
                var client = SocketClient.connect(gateway, "/ws/code")) {
            gateway.loopBudget().requireBelow(Duration.ofMillis(5), () -> {
                client.send(program("print('\\x01' * (1 << 20), end='')", ""));
                assertThat(next(client).get("stdout").stringValue()).isEqualTo("\u0001".repeat(1 << 20));
            });
        }
    }

    @Test
    void runsOneAfterTheOtherForEachSocket() throws Exception {
        try (var gateway = start(""); var client = SocketClient.connect(gateway, "/ws/code")) {
            client.send(program("import time; time.sleep(0.3); print(1)", "")).send(program("print(2)", ""));

            assertThat(next(client).get("stdout").stringValue()).isEqualTo("1\n");
            assertThat(next(client).get("stdout").stringValue()).isEqualTo("2\n");
        }
    }

    @Test
    void invalidRequestGets400AndTheSocketStaysOpen() throws Exception {
        try (var gateway = start(""); var client = SocketClient.connect(gateway, "/ws/code")) {
            for (String wrong : List.of("{", "[]", "{\"input\": \"\"}", "{\"code\": {}}")) {
                assertThat(next(client.send(wrong)).get("status").intValue()).isEqualTo(400);
            }
            assertThat(next(client.send(program("print(1)", ""))).get("exitCode").intValue()).isZero();
        }
    }

    @Test
    void programBeyondItsWallTimeIsKilledAndReported() throws Exception {
        try (var gateway = start("program.wall-time = 300ms");
                var client = SocketClient.connect(gateway, "/ws/code")) {
            assertThat(next(client.send(program(UNTIL_KILLED, ""))).get("timedOut").booleanValue()).isTrue();
        }
    }

    @Test
    void fullPoolRefusesProgramsAndOtherRoutesAreServed() throws Exception {
        List<SocketClient> clients = new ArrayList<>();
        try (var gateway = start("")) {
            IntStream.range(0, 4).forEach(_ -> clients.add(SocketClient.connect(gateway, "/ws/code")));
            clients.forEach(client -> client.send(program(UNTIL_KILLED, "")));
            await().untilAsserted(() -> assertThat(gauge(gateway, "queued")).isEqualTo(2));

            try (var late = SocketClient.connect(gateway, "/ws/code")) {
                assertThat(gateway.get("/hello").body()).isEqualTo("hello");
                assertThat(next(late.send(program("print(1)", ""))).get("status").intValue()).isEqualTo(503);
            }

            clients.forEach(SocketClient::close);
            await().untilAsserted(() ->
                    assertThat(gauge(gateway, "busy") + gauge(gateway, "queued")).isZero());
            assertThat(gauge(gateway, "cancelled")).isEqualTo(4);
        }
    }

    @Test
    void drainWaitsForRunningPrograms() throws Exception {
        try (var gateway = start("", "sluice.lifecycle.drain-timeout = 30s");
                var client = SocketClient.connect(gateway, "/ws/code")) {
            client.send(program("import time; time.sleep(2); print('done')", ""));
            await().untilAsserted(() -> assertThat(gauge(gateway, "busy")).isEqualTo(1));

            gateway.stop();

            assertThat(next(client).get("stdout").stringValue()).isEqualTo("done\n");
            assertThat(client.closeCode()).isEqualTo(1001);
        }
    }

    @Test
    void doesNotStartWithASandboxThatDoesNotWork() {
        assertThatThrownBy(() -> RunningGateway.start(
                ROUTES.formatted("program.python = no-such-python")))
                .hasMessageContaining("sluice.routes.code.program.sandbox: ");
    }

    @Test
    void doesNotStartWithoutItsInterpreter() {
        assertThatThrownBy(() -> RunningGateway.start(ROUTES.formatted(
                "program { sandbox = none, warm = 0, python = no-such-python }")))
                .hasMessageContaining("no-such-python");
    }
}
