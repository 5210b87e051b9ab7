package io.sluice.loadtest.experiments.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.faults.CheckedRequest.Http;
import io.sluice.loadtest.experiments.faults.CheckedRequest.Text;
import io.sluice.loadtest.experiments.faults.Verdict.Outcome;
import io.sluice.loadtest.experiments.wire.Replies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalancerIT {

    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello";
    private static final Http REQUEST = Http.of("GET", "/", "", new byte[0], "Hello".getBytes());

    @Test
    void tellsRightFromWrongAndRefused() throws Exception {
        assertThat(outcome(RIGHT)).isEqualTo(Outcome.RIGHT);
        assertThat(outcome(RIGHT.replace("Hello", "Hallo"))).isEqualTo(Outcome.WRONG);
        assertThat(outcome("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")).isEqualTo(Outcome.WRONG);
        for (int status : List.of(429, 503, 504)) {
            assertThat(outcome("HTTP/1.1 %d No\r\nContent-Length: 0\r\n\r\n".formatted(status)))
                    .isEqualTo(Outcome.REFUSED);
        }
    }

    private static Outcome outcome(String reply) throws IOException {
        try (var server = new Replies(reply); var balancer = balancer(server.port())) {
            return balancer.ask(REQUEST).outcome();
        }
    }

    @Test
    void brokenExchangesAreRepeatedOnTheOtherGateway() throws Exception {
        try (var breaking = new Replies(""); var right = new Replies(RIGHT);
                var balancer = balancer(breaking.port(), right.port())) {
            assertThat(balancer.ask(REQUEST).outcome()).isEqualTo(Outcome.RIGHT);
            assertThat(balancer.repeated()).isEqualTo(1);
        }
        try (var breaking = new Replies(RIGHT.substring(0, RIGHT.length() - 1));
                var balancer = balancer(breaking.port())) {
            assertThat(balancer.ask(REQUEST).outcome()).isEqualTo(Outcome.LOST);
            assertThat(balancer.repeated()).isEqualTo(2);
        }
    }

    @Test
    void isRefusedWhereNothingCouldBeSent() throws Exception {
        try (var balancer = balancer(deadPort())) {
            assertThat(balancer.ask(REQUEST).outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(balancer.repeated()).isZero();
        }
        try (var unavailable = new Replies("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
                var balancer = balancer(unavailable.port())) {
            assertThat(balancer.ask(new Text("hello")).outcome()).isEqualTo(Outcome.REFUSED);
        }
    }

    private static int deadPort() throws IOException {
        try (var listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            return listener.getLocalPort();
        }
    }

    private static Balancer balancer(Integer... ports) {
        return new Balancer(List.of(ports).stream().map(Backend::new).toList());
    }
}
