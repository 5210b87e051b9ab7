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
    private static final int MANY = 20_000;

    private final TestEndpoints endpoints = new TestEndpoints();

    private Endpoint choose(LoadBalancer balancer, Endpoint avoid) {
        return balancer.choose(0, avoid, endpoints.route, endpoints.clock);
    }

    private Endpoint chooseBy(long key, LoadBalancer balancer) {
        return balancer.choose(Hash.of(key), null, endpoints.route, endpoints.clock);
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
        var polls = new RouteTimes();
        for (int i = 0; i < 2; i++) {
            endpoints.respond(i, Duration.ofMillis(1));
        }
        endpoints.respond(0, Duration.ofSeconds(30), polls);
        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.05));

        endpoints.respond(1, Duration.ofMillis(1), polls);
        assertThat(balancer.choose(0, null, polls, endpoints.clock)).isSameAs(endpoints.get(1));
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
                endpoints.get(1).responded(slow.poll(), endpoints.route);
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
    void hashesEqualKeysToTheSameEndpointByWeight() {
        LoadBalancer balancer = endpoints.add(2, 1, 1).balancer(Balance.HASH);
        var counts = new int[3];
        for (int key = 1; key <= MANY; key++) {
            Endpoint chosen = chooseBy(key, balancer);
            assertThat(chooseBy(key, balancer)).isSameAs(chosen);
            counts[endpoints.all.indexOf(chosen)]++;
        }
        assertThat(shares(counts)).containsExactly(new double[] {0.5, 0.25, 0.25}, within(0.02));
    }

    @Test
    void movesOnlyTheKeysOfTheEndpointThatIsDown() {
        LoadBalancer balancer = endpoints.add(1, 1, 1).balancer(Balance.HASH);
        var before = new Endpoint[MANY];
        for (int key = 0; key < MANY; key++) {
            before[key] = chooseBy(key, balancer);
        }
        endpoints.fail(1);
        var moved = new int[3];
        for (int key = 0; key < MANY; key++) {
            Endpoint after = chooseBy(key, balancer);
            assertThat(after).isNotSameAs(endpoints.get(1));
            if (before[key] == endpoints.get(1)) {
                moved[endpoints.all.indexOf(after)]++;
            } else {
                assertThat(after).isSameAs(before[key]);
            }
        }
        assertThat((double) moved[0] / moved[2]).isCloseTo(1, within(0.1));
    }

    /** The greatest common divisor of the weights changes with the third endpoint. */
    @Test
    void movesOnlyTheKeysOfAnEndpointOfAnotherWeight() {
        LoadBalancer two = endpoints.add(2, 2).balancer(Balance.HASH);
        LoadBalancer three = endpoints.add(1).balancer(Balance.HASH);
        int moved = 0;
        for (int key = 0; key < MANY; key++) {
            Endpoint after = chooseBy(key, three);
            if (after == endpoints.get(2)) {
                moved++;
            } else {
                assertThat(after).isSameAs(chooseBy(key, two));
            }
        }
        assertThat((double) moved / MANY).isCloseTo(0.2, within(0.02));
    }

    @Test
    void probesByHashOnlyWithKeysOfTheEndpoint() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.HASH);
        long key = 1;
        while (chooseBy(key, balancer) != endpoints.get(0)) {
            key++;
        }
        endpoints.fail(0);
        endpoints.pass(Duration.ofSeconds(13));

        assertThat(chooseBy(key, balancer)).isSameAs(endpoints.get(0));
        assertThat(chooseBy(key, balancer)).isSameAs(endpoints.get(1));
    }

    @Test
    void balancesRequestsWithoutAKeyByLoad() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.HASH);

        assertThat(shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }
}
