package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.config.UpstreamConfig.Balance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadBalancerTest {
    private static final int MANY = TestEndpoints.MANY;

    private final TestEndpoints endpoints = new TestEndpoints();

    /**
     * Returns the share of many requests that each endpoint gets, with so many of them in flight at any time.
     */
    private double[] sharesAt(int inFlight, LoadBalancer balancer) {
        var counts = new int[endpoints.all.size()];
        Deque<Endpoint> busy = new ArrayDeque<>();
        for (int i = 0; i < MANY; i++) {
            Endpoint chosen = endpoints.choose(balancer, null);
            chosen.began(endpoints.route.of(chosen));
            busy.add(chosen);
            counts[endpoints.all.indexOf(chosen)]++;
            if (busy.size() > inFlight) {
                busy.poll().ended();
            }
        }
        busy.forEach(Endpoint::ended);
        return TestEndpoints.shares(counts);
    }

    @Test
    void hasNothingToChooseWithoutEndpoints() {
        assertThat(endpoints.choose(LoadBalancer.EMPTY, null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30, 300})
    void spreadsByWeight(int inFlight) {
        LoadBalancer balancer = endpoints.add(50, 20, 30).balancer(Balance.LEAST_LOAD);

        assertThat(inFlight == 0 ? endpoints.shares(balancer) : sharesAt(inFlight, balancer))
                .containsExactly(new double[] {0.5, 0.2, 0.3}, within(0.05));
    }

    @Test
    void prefersFewerRequestsInFlight() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.begin(0);

        assertThat(endpoints.shares(balancer)).containsExactly(0, 1);
    }

    /** The heavy one is nearly always drawn first. */
    @Test
    void comparesThoseThatAreUpWhileOthersAreDown() {
        LoadBalancer balancer = endpoints.add(100, 1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        endpoints.begin(1);

        assertThat(endpoints.shares(balancer)).containsExactly(0, 0, 1);
    }

    @Test
    void doesNotTakeTheLastAttemptOfARequestForAProbe() {
        LoadBalancer balancer = endpoints.add(1, 1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        endpoints.pass(Duration.ofSeconds(13));
        for (int i = 0; i < 100; i++) {
            assertThat(endpoints.choose(balancer, endpoints.get(1))).isSameAs(endpoints.get(2));
        }
    }

    /** The other one is up again, and gets a tenth of its share otherwise. */
    @Test
    void leavesOneThatHangsOrFailsToOneInItsSlowStart() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(1);
        endpoints.respond(1, Duration.ofMillis(1));
        for (int i = 0; i < 25; i++) {
            endpoints.begin(0);
        }
        assertThat(endpoints.shares(balancer)).containsExactly(0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void leavesOutWhatIsDownButForOneProbe(int size) {
        var weights = new int[size];
        Arrays.fill(weights, 1);
        LoadBalancer balancer = endpoints.add(weights).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        assertThat(endpoints.shares(balancer)[0]).isZero();

        endpoints.pass(Duration.ofSeconds(13));
        assertThat(endpoints.shares(balancer)[0] * MANY).isCloseTo(1, within(0.01));
        endpoints.get(0).failed(UpstreamException.Stage.CONNECT, null, null);
        assertThat(endpoints.shares(balancer)[0]).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void probesWithOneRequestEachWhileAllAreDown(int size) {
        var weights = new int[size];
        Arrays.fill(weights, 1);
        LoadBalancer balancer = endpoints.add(weights).balancer(Balance.LEAST_LOAD);
        for (int i = 0; i < size; i++) {
            endpoints.fail(i);
        }
        for (int i = 0; i < size; i++) {
            assertThat(endpoints.choose(balancer, null)).isNotNull();
        }
        assertThat(endpoints.choose(balancer, null)).isNull();

        endpoints.respond(size - 1, Duration.ofMillis(1));
        assertThat(endpoints.choose(balancer, null)).isSameAs(endpoints.get(size - 1));
    }

    @Test
    void avoidsOneThatHasFailedIfThereIsAnother() {
        LoadBalancer balancer = endpoints.add(100, 1).balancer(Balance.LEAST_LOAD);
        for (int i = 0; i < 100; i++) {
            assertThat(endpoints.choose(balancer, endpoints.get(0))).isSameAs(endpoints.get(1));
        }
        endpoints.fail(1);
        endpoints.get(1).claimEarlyProbe(endpoints.clock.nanoTime());
        assertThat(endpoints.choose(balancer, endpoints.get(0))).isSameAs(endpoints.get(0));
        endpoints.fail(0);
        assertThat(endpoints.choose(balancer, endpoints.get(0))).isNull();
    }

    /** A recovered endpoint gets a tenth of its share at first, and all of it after 30 s. */
    @Test
    void startsRecoveredOnesSlowly() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        endpoints.respond(0, Duration.ofMillis(1));
        endpoints.respond(1, Duration.ofMillis(1));

        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.05, within(0.01));
        endpoints.pass(Duration.ofSeconds(15));
        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.25, within(0.02));
        assertThat(sharesAt(20, balancer)[0]).isLessThan(0.3);
        endpoints.pass(Duration.ofSeconds(15));
        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.5, within(0.02));
    }

    @Test
    void balancesRequestsWithoutAKeyByLoad() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.HASH);

        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }
}
