package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowAttackIT {

    private static final int CLIENTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final Duration ENOUGH = Duration.ofSeconds(20);

    @Test
    void isOverWhenTheServerHasEndedAllOfThem() throws Exception {
        for (boolean reset : List.of(false, true)) {
            try (var server = new ImpatientServer(PATIENCE, reset, 0);
                    var attack = attack(server, SlowClient.head("/"))) {
                var outcome = attack.outcome(ENOUGH);
                assertThat(outcome.connected()).isEqualTo(CLIENTS);
                assertThat(outcome.lives().getTotalCount()).isEqualTo(CLIENTS);
                assertThat(Duration.ofNanos(outcome.lives().getMaxValue())).isGreaterThan(PATIENCE);
            }
        }
    }

    @Test
    void neverEndsAHead() throws Exception {
        String begin = "GET /path HTTP/1.1\r\nHost: localhost\r\nX-Slow: still\r\nX-Slow: still\r\n";
        assertThat(sent(SlowClient.head("/path"), 2 * begin.length())).startsWith(begin)
                .doesNotContain("\r\n\r\n");
    }

    @Test
    void sendsABodyLittleByLittle() throws Exception {
        String begin =
                "POST /path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n0123456789";
        assertThat(sent(SlowClient.body("/path"), begin.length())).startsWith(begin);
    }

    /** Returns all bytes that one client sends to a server that ends it after so many. */
    private static String sent(SlowClient client, int bytes) throws Exception {
        try (var server = new ImpatientServer(ENOUGH, false, 0).endingAfter(bytes);
                var attack = SlowAttack.of(server.port(), 1, client, PAUSE)) {
            attack.outcome(ENOUGH);
            return new String(server.received(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void readsLittleOfAnAnswerAndNoticesItsEndAllTheSame() throws Exception {
        try (var server = new ImpatientServer(PATIENCE, true, 16 << 20);
                var attack = attack(server, SlowClient.reader("/large"))) {
            assertThat(attack.outcome(ENOUGH).lives().getTotalCount()).isEqualTo(CLIENTS);
            assertThat(server.unread()).isEqualTo(CLIENTS);
        }
    }

    @Test
    void outcomeIsReadableDuringTheAttack() throws Exception {
        try (var server = new ImpatientServer(ENOUGH, false, 0);
                var attack = attack(server, SlowClient.head("/"))) {
            await().until(() -> attack.outcome(PATIENCE).connected() == CLIENTS);
            assertThat(attack.outcome(PATIENCE).lives().getTotalCount()).isZero();
        }
    }

    @Test
    void attackEndsIfNoConnectionIsAccepted() throws Exception {
        try (var taken = new Socket()) {
            // bound, but not listening
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (var attack = SlowAttack.of(taken.getLocalPort(), CLIENTS, SlowClient.head("/"), PAUSE)) {
                assertThat(attack.outcome(ENOUGH).connected()).isZero();
            }
        }
    }

    private static SlowAttack attack(ImpatientServer server, SlowClient client) {
        return SlowAttack.of(server.port(), CLIENTS, client, PAUSE);
    }
}
