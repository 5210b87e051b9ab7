package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.config.UpstreamConfig.Balance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadBalancerTest {
    private static final int MANY = 20_000;

    private final TestEndpoints endpoints = new TestEndpoints();

    private Endpoint choose(LoadBalancer balancer, Endpoint avoid) {
        return balancer.choose(0, avoid == null ? Set.of() : Set.of(avoid), endpoints.route, endpoints.clock);
    }

    /**
     * Returns the share of many requests that each endpoint gets. Each request ends before the next begins.
     */
    private double[] shares(LoadBalancer balancer) {
        var counts = new int[endpoints.all.size()];
        for (int i = 0; i < MANY; i++) {
            counts[endpoints.all.indexOf(choose(balancer, null))]++;
        }
        return shares(counts);
    }

    private static double[] shares(int[] counts) {
        return Arrays.stream(counts).mapToDouble(count -> (double) count / MANY).toArray();
    }

    /**
     * Returns the share of many requests that each endpoint gets, with so many of them in flight at any time.
     */
    private double[] sharesAt(int inFlight, LoadBalancer balancer) {
        var counts = new int[endpoints.all.size()];
        Deque<Endpoint> busy = new ArrayDeque<>();
        for (int i = 0; i < MANY; i++) {
            Endpoint chosen = choose(balancer, null);
            chosen.began();
            busy.add(chosen);
            counts[endpoints.all.indexOf(chosen)]++;
            if (busy.size() > inFlight) {
                busy.poll().ended();
            }
        }
        busy.forEach(Endpoint::ended);
        return shares(counts);
    }

    @Test
    void hasNothingToChooseWithoutEndpoints() {
        assertThat(choose(LoadBalancer.EMPTY, null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30, 300})
    void spreadsByWeight(int inFlight) {
        LoadBalancer balancer = endpoints.add(50, 20, 30).balancer(Balance.LEAST_LOAD);

        assertThat(inFlight == 0 ? shares(balancer) : sharesAt(inFlight, balancer))
                .containsExactly(new double[] {0.5, 0.2, 0.3}, within(0.05));
    }

    @Test
    void prefersFewerRequestsInFlight() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.get(0).began();

        assertThat(shares(balancer)).containsExactly(0, 1);
    }

    @Test
    void doesNotMindSmallDifferencesInTime() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(10));
        endpoints.respond(1, Duration.ofMillis(14));

        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }

    @Test
    void prefersTheFasterOneUntilItHasFarMoreRequests() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(1));
        endpoints.respond(1, Duration.ofMillis(20));
        assertThat(shares(balancer)).containsExactly(1, 0);

        for (int i = 0; i < 40; i++) {
            endpoints.get(0).began();
        }
        assertThat(shares(balancer)).containsExactly(0, 1);
    }

    /** An endpoint's response times count per route, so a route of long polls does not make it look slow. */
    @Test
    void comparesTimesWithinARoute() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        var polls = new RouteResponses();
        for (int i = 0; i < 2; i++) {
            endpoints.respond(i, Duration.ofMillis(1));
        }
        endpoints.respond(0, Duration.ofSeconds(30), polls);
        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.05));

        endpoints.respond(1, Duration.ofMillis(1), polls);
        assertThat(balancer.choose(0, Set.of(), polls, endpoints.clock)).isSameAs(endpoints.get(1));
    }

    @Test
    void keepsNoTimesOfDrainedEndpoints() {
        endpoints.add(1, 1);
        endpoints.respond(0, Duration.ofMillis(1));
        endpoints.get(0).drain();
        endpoints.respond(1, Duration.ofMillis(1));
        endpoints.respond(0, Duration.ofMillis(1));

        assertThat(endpoints.route.size()).isEqualTo(1);
    }

    /** The times are 1 s and 1 ms, at 200 requests a second for two minutes. */
    @Test
    void triesASlowOneNowAndThen() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        Deque<Long> slow = new ArrayDeque<>();
        int slowOnes = 0;
        for (int i = 0; i < 24_000; i++) {
            endpoints.pass(Duration.ofMillis(5));
            while (!slow.isEmpty() && endpoints.clock.nanoTime() - slow.peek() >= 1_000_000_000) {
                endpoints.get(1).responded(slow.poll(), false, endpoints.route);
                endpoints.get(1).ended();
            }
            Endpoint chosen = choose(balancer, null);
            if (chosen == endpoints.get(1)) {
                slowOnes++;
                slow.add(chosen.began());
            } else {
                endpoints.respond(0, Duration.ofMillis(1));
            }
        }
        assertThat(slowOnes).isBetween(2, 24);
    }

    @Test
    void countsWaitingInVainAsSlow() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(1));
        long began = endpoints.get(1).began();
        endpoints.pass(Duration.ofSeconds(2));
        endpoints.get(1).cancelled(began, endpoints.route);
        endpoints.get(1).ended();
        endpoints.respond(0, Duration.ofMillis(1));

        assertThat(shares(balancer)).containsExactly(1, 0);
    }

    /** An endpoint whose time is known hangs, at 200 requests a second for five minutes. */
    @Test
    void givesOneThatHangsNoMoreRequestsThanTheOther() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(1, Duration.ofSeconds(1));
        for (int i = 0; i < 60_000; i++) {
            endpoints.pass(Duration.ofMillis(5));
            if (choose(balancer, null) == endpoints.get(1)) {
                endpoints.get(1).began();
            } else {
                endpoints.respond(0, Duration.ofMillis(5));
            }
        }
        assertThat(endpoints.get(1).inFlight()).isLessThan(3);
    }

    /** Ten requests are in flight at any time; errors come at once, other responses after ten others. */
    @Test
    void prefersSlowResponsesToFastErrors() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        Deque<Long> busy = new ArrayDeque<>();
        int errors = 0;
        for (int i = 0; i < MANY; i++) {
            endpoints.pass(Duration.ofMillis(1));
            long now = endpoints.clock.nanoTime();
            if (choose(balancer, null) == endpoints.get(1)) {
                errors++;
                endpoints.get(1).responded(endpoints.get(1).began(), true, endpoints.route);
                endpoints.get(1).ended();
            } else {
                busy.add(endpoints.get(0).began());
            }
            while (!busy.isEmpty() && now - busy.peek() > Duration.ofMillis(10).toNanos()) {
                endpoints.get(0).responded(busy.poll(), false, endpoints.route);
                endpoints.get(0).ended();
            }
        }
        assertThat((double) errors / MANY).isBetween(0.0001, 0.02);
    }

    @Test
    void comparesThoseThatAreUpWhileOthersAreDown() {
        LoadBalancer balancer = endpoints.add(1, 1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        endpoints.get(1).began();

        assertThat(shares(balancer)[2]).isGreaterThan(0.95);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10})
    void leavesOutWhatIsDownButForOneProbe(int size) {
        var weights = new int[size];
        Arrays.fill(weights, 1);
        LoadBalancer balancer = endpoints.add(weights).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        assertThat(shares(balancer)[0]).isZero();

        endpoints.pass(Duration.ofSeconds(13));
        assertThat(shares(balancer)[0] * MANY).isCloseTo(1, within(0.01));
        endpoints.get(0).failed(UpstreamException.Stage.CONNECT, null);
        assertThat(shares(balancer)[0]).isZero();
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
            assertThat(choose(balancer, null)).isNotNull();
        }
        assertThat(choose(balancer, null)).isNull();

        endpoints.respond(size - 1, Duration.ofMillis(1));
        assertThat(choose(balancer, null)).isSameAs(endpoints.get(size - 1));
    }

    @Test
    void avoidsOneThatHasFailedIfThereIsAnother() {
        LoadBalancer balancer = endpoints.add(100, 1).balancer(Balance.LEAST_LOAD);
        for (int i = 0; i < 100; i++) {
            assertThat(choose(balancer, endpoints.get(0))).isSameAs(endpoints.get(1));
        }
        endpoints.fail(1);
        endpoints.get(1).claimEarlyProbe(endpoints.clock.nanoTime());
        assertThat(choose(balancer, endpoints.get(0))).isSameAs(endpoints.get(0));
        endpoints.fail(0);
        assertThat(choose(balancer, endpoints.get(0))).isNull();
    }

    /** A recovered endpoint gets a tenth of its share at first, and all of it after 30 s. */
    @Test
    void startsRecoveredOnesSlowly() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.fail(0);
        endpoints.respond(0, Duration.ofMillis(1));
        endpoints.respond(1, Duration.ofMillis(1));

        assertThat(shares(balancer)[0]).isCloseTo(0.05, within(0.01));
        endpoints.pass(Duration.ofSeconds(15));
        assertThat(shares(balancer)[0]).isCloseTo(0.25, within(0.02));
        assertThat(sharesAt(20, balancer)[0]).isLessThan(0.3);
        endpoints.pass(Duration.ofSeconds(15));
        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.02));
    }

    @Test
    void balancesRequestsWithoutAKeyByLoad() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.HASH);

        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }
}
