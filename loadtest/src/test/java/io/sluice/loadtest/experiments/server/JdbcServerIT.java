package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The JDBC server of the comparison: the threads that a query blocks. */
class JdbcServerIT {

    private static final Variant VARIANT = new Variant("JDBC", Map.of());
    private static final Duration SLEEP = Duration.ofMillis(300);

    @Test
    void aQueryOnAnEventLoopKeepsTheLoopsOtherConnectionsWaiting() throws Exception {
        try (var server = start(new JdbcServer.Threads(1, 0));
                var one = connect(server);
                var other = connect(server)) {
            long start = System.nanoTime();
            ask(one, SLEEP);
            ask(other, SLEEP);
            assertThat(answer(one)).isEqualTo("{\"slept\":null}");
            assertThat(answer(other)).isEqualTo("{\"slept\":null}");

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(SLEEP.multipliedBy(2).minusMillis(10));
        }
    }

    @Test
    void aQueryOnAThreadOfAGroupLeavesOtherConnectionsTheirThreads() throws Exception {
        try (var server = start(new JdbcServer.Threads(1, 2));
                var one = connect(server);
                var other = connect(server)) {
            ask(one, Duration.ofDays(1));
            ask(other, Duration.ofMillis(1));

            assertThat(answer(other)).isEqualTo("{\"slept\":null}");
        }
    }

    private static ServerProcess start(JdbcServer.Threads threads) throws Exception {
        return ServerProcess.startJdbc(VARIANT, threads, Optional.empty());
    }

    private static Socket connect(ServerProcess server) throws Exception {
        var socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void ask(Socket connection, Duration sleep) throws Exception {
        connection.getOutputStream().write("GET /benchmark/jdbc?ms=%d HTTP/1.1\r\n\r\n"
                .formatted(sleep.toMillis()).getBytes(StandardCharsets.US_ASCII));
    }

    private static String answer(Socket connection) throws Exception {
        var answer = new StringBuilder();
        while (answer.indexOf("}") < 0) {
            answer.append((char) connection.getInputStream().read());
        }
        return answer.substring(answer.indexOf("{"));
    }
}
