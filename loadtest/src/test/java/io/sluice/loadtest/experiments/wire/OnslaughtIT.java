package io.sluice.loadtest.experiments.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OnslaughtIT {

    @Test
    void comesBackWhenItIsCutOff() throws Exception {
        try (var server = new Replies("no")) {
            var onslaught = Onslaught.of(server.port(), List.of(Squad.of(2, wire -> {
                wire.send("x");
                wire.skipToEnd();
            })));
            try (onslaught) {
                await().until(() -> onslaught.cutOff() >= 4);
            }
            assertThat(onslaught.connections()).isGreaterThanOrEqualTo(4);
            assertThat(onslaught.sentBytes()).isGreaterThanOrEqualTo(4);
            assertThat(onslaught.receivedBytes()).isGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void endsClientsThatWait() throws Exception {
        var waiting = new AtomicInteger();
        try (var server = new Replies("no")) {
            var onslaught = Onslaught.of(server.port(), List.of(
                    Squad.deaf(2, wire -> {
                        waiting.incrementAndGet();
                        TimeUnit.HOURS.sleep(1);
                    }),
                    Squad.of(2, wire -> {
                        waiting.incrementAndGet();
                        wire.skipToEnd();
                    })));
            try (onslaught) {
                await().until(() -> waiting.get() == 4);
            }
            assertThat(onslaught.cutOff()).isZero();
        }
    }
}
