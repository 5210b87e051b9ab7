package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.offload.OffloadStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolAdviceTest {
    private static final Duration RUN_TIME = Duration.ofNanos(20_400_000);

    @Test
    void saturatedPoolIsAdvisedMoreWorkers() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 2000, RUN_TIME, 1471, 9.8))).isEqualTo(
                "saturated: demand is 3.00x capacity (10 workers x 20.4 ms = 490/s, 98 % in use); "
                        + "41 workers would suffice if their backend allows as many");
    }

    @Test
    void isContentWithAPoolThatHasRoom() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 1, 0, RUN_TIME, 50, 1.02))).isEqualTo(
                "ok: 10 workers x 20.4 ms = 490/s, 10 % in use");
    }

    @Test
    void warnsOfAPoolThatIsAlmostFull() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 5, RUN_TIME, 470, 9.6))).isEqualTo(
                "nearly saturated: 10 workers x 20.4 ms = 490/s, 96 % in use; "
                        + "13 workers would suffice if their backend allows as many");
    }

    @Test
    void doesNotCountOnAMeanThatNoLongerHolds() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 30, RUN_TIME, 3, 10))).isEqualTo(
                "slow: what runs now takes much longer than the mean "
                        + "(10 workers x 20.4 ms = 490/s, 100 % in use)");
    }

    @Test
    void neverAdvisesFewerWorkersThanThereAreToAPoolThatIsFull() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 30, RUN_TIME, 300, 9.9)))
                .endsWith("; 11 workers would suffice if their backend allows as many");
    }

    @Test
    void saysWhyTasksWaitBesideIdleWorkers() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 9, 31, RUN_TIME, 460, 8.9))).isEqualTo(
                "ok: 10 workers x 20.4 ms = 490/s, 89 % in use; "
                        + "1 kept idle for other clients, as 31 tasks beyond client-share wait");
    }

    @Test
    void namesTheEndpointsOfAnUpstreamThatAreDown() {
        var stats = new OffloadStats(100, 10, 0, RUN_TIME, 500, 10);
        EndpointStats up = endpoint("http://a:80", State.UP);
        EndpointStats down = endpoint("http://b:80", State.DOWN);
        EndpointStats probed = endpoint("http://c:80", State.PROBING);

        assertThat(PoolAdvice.of(stats, List.of(up))).isEqualTo(
                "ok: 100 concurrent requests x 20.4 ms = 4902/s, 10 % in use");
        assertThat(PoolAdvice.of(stats, List.of(up, down, probed))).isEqualTo(
                "degraded: 2 of 3 endpoints are down; check that they run and can be reached: "
                        + "http://b:80, http://c:80; "
                        + "ok: 100 concurrent requests x 20.4 ms = 4902/s, 10 % in use");
        assertThat(PoolAdvice.of(stats, List.of(down))).isEqualTo(
                "down: no endpoint is up; check that it runs and can be reached: http://b:80");
        assertThat(PoolAdvice.of(stats, List.of())).startsWith("down: its name has no address; ");
    }

    @Test
    void saysHowManyConcurrentRequestsAnUpstreamNeeds() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 2000, RUN_TIME, 1471, 9.8),
                List.of(endpoint("http://a:80", State.UP)))).isEqualTo(
                "saturated: demand is 3.00x capacity (10 concurrent requests x 20.4 ms = 490/s, 98 % in "
                        + "use); concurrency = 41 would suffice if the endpoints allow it");
    }

    private static EndpointStats endpoint(String id, State state) {
        return new EndpointStats(id, id, "10.0.0.7:80", state, 0, 0, 0, 0, Duration.ZERO, 1, 1, Map.of(), 0);
    }

    @Test
    void knowsNothingBeforeAnythingHasRun() {
        assertThat(PoolAdvice.of(new OffloadStats(4, 4, 1, Duration.ZERO, 0.5, 4)))
                .isEqualTo("idle: nothing has run yet, so the capacity of 4 workers is unknown");
    }
}
