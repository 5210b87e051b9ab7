package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutcomeTimersTest {
    private final MeterRegistry shard = new SimpleMeterRegistry();
    private final OutcomeTimers timers = new OutcomeTimers(shard, Meters::proxied);

    private double count(String status, String outcome) {
        return shard.get("http.client.requests").tags("status", status, "outcome", outcome).timers().stream()
                .mapToLong(Timer::count).sum();
    }

    /** Statuses that one upstream may answer with, one after the other. */
    @Test
    void statusesAreBounded() {
        timers.of(HttpMethod.valueOf("REPORT"), "/a", 200).record(Duration.ofMillis(1));
        for (int round = 0; round < 2; round++) {
            for (int status = 100; status < 1000; status++) {
                timers.of(HttpMethod.GET, "/a", status).record(Duration.ofMillis(1));
            }
        }
        timers.of(HttpMethod.GET, "/a", OutcomeTimers.CANCELLED).record(Duration.ofMillis(1));

        assertThat(shard.getMeters()).hasSizeBetween(OutcomeTimers.MAX_TIMERS, OutcomeTimers.MAX_TIMERS + 20);
        assertThat(timers.of(HttpMethod.valueOf("LOCK"), "/a", 200).count()).isOne();
        assertThat(count("100", "INFORMATIONAL")).isEqualTo(2);
        assertThat(count("UNKNOWN", "SERVER_ERROR")).isEqualTo(200);
        assertThat(count("UNKNOWN", "UNKNOWN")).isEqualTo(800);
        assertThat(count("CLIENT_ERROR", "UNKNOWN")).isOne();
        assertThat(timers.of(HttpMethod.GET, "/b", 503)).isNotSameAs(timers.of(HttpMethod.GET, "/a", 503));

        timers.retain(Set.of());
        assertThat(shard.getMeters()).isEmpty();
    }
}
