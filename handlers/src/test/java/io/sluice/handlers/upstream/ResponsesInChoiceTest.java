package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.config.UpstreamConfig.Balance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of endpoints by their responses: the times to first byte, and errors. */
class ResponsesInChoiceTest {
    private static final int MANY = TestEndpoints.MANY;

    private final TestEndpoints endpoints = new TestEndpoints();

    @Test
    void doesNotMindSmallDifferencesInTime() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(10));
        endpoints.respond(1, Duration.ofMillis(14));

        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }

    @Test
    void prefersTheFasterOneUntilItHasFarMoreRequests() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(1));
        endpoints.respond(1, Duration.ofMillis(20));
        assertThat(endpoints.shares(balancer)).containsExactly(1, 0);

        for (int i = 0; i < 40; i++) {
            endpoints.begin(0);
        }
        assertThat(endpoints.shares(balancer)).containsExactly(0, 1);
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
        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.5, within(0.05));

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
                endpoints.end(1, slow.poll(), false);
            }
            Endpoint chosen = endpoints.choose(balancer, null);
            if (chosen == endpoints.get(1)) {
                slowOnes++;
                slow.add(endpoints.begin(1));
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
        long began = endpoints.begin(1);
        endpoints.pass(Duration.ofSeconds(2));
        endpoints.get(1).cancelled(began, endpoints.route.of(endpoints.get(1)));
        endpoints.get(1).ended();
        endpoints.respond(0, Duration.ofMillis(1));

        assertThat(endpoints.shares(balancer)).containsExactly(1, 0);
    }

    /** An endpoint whose time is known hangs, at 200 requests a second for five minutes. */
    @Test
    void givesOneThatHangsNoMoreRequestsThanTheOther() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(1, Duration.ofSeconds(1));
        for (int i = 0; i < 60_000; i++) {
            endpoints.pass(Duration.ofMillis(5));
            if (endpoints.choose(balancer, null) == endpoints.get(1)) {
                endpoints.begin(1);
            } else {
                endpoints.respond(0, Duration.ofMillis(5));
            }
        }
        assertThat(endpoints.get(1).inFlight()).isLessThan(3);
    }

    /** Ten requests are in flight at any time; errors come after 1 ms, other responses after ten others. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void prefersSlowResponsesToFastErrors(boolean known) {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        if (known) {
            endpoints.respond(1, Duration.ofMillis(20));
        }
        Deque<Long> busy = new ArrayDeque<>();
        int errors = 0;
        for (int i = 0; i < MANY; i++) {
            boolean fails = endpoints.choose(balancer, null) == endpoints.get(1);
            long began = endpoints.begin(fails ? 1 : 0);
            endpoints.pass(Duration.ofMillis(1));
            long now = endpoints.clock.nanoTime();
            if (fails) {
                errors++;
                endpoints.end(1, began, true);
            } else {
                busy.add(began);
            }
            while (!busy.isEmpty() && now - busy.peek() > Duration.ofMillis(10).toNanos()) {
                endpoints.end(0, busy.poll(), false);
            }
        }
        assertThat((double) errors / MANY).isBetween(0.0001, 0.02);
    }

    @Test
    void doesNotMindASingleError() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.end(0, endpoints.begin(0), true);

        assertThat(endpoints.shares(balancer)[0]).isCloseTo(0.5, within(0.05));
    }

    @Test
    void countsLostRequestsAsErrors() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        for (int i = 0; i < 2; i++) {
            endpoints.get(0).lost(endpoints.route.of(endpoints.get(0)), null);
        }
        assertThat(endpoints.shares(balancer)).containsExactly(0, 1);
    }

    /** It is known to have been faster than the other one is now. */
    @Test
    void givesOneThatBeginsToHangNoMoreRequestsThanTheOther() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(1, Duration.ofMillis(5));
        endpoints.begin(1);
        endpoints.pass(Duration.ofMillis(100));
        endpoints.respond(0, Duration.ofMillis(20));

        assertThat(endpoints.shares(balancer)).containsExactly(1, 0);
    }

    @Test
    void doesNotMindRequestsOfOtherRoutesThatTakeLong() {
        LoadBalancer balancer = endpoints.add(1, 1).balancer(Balance.LEAST_LOAD);
        endpoints.respond(0, Duration.ofMillis(5));
        endpoints.respond(1, Duration.ofMillis(200));
        endpoints.get(0).began(new EndpointResponses());
        endpoints.pass(Duration.ofSeconds(1));

        assertThat(endpoints.shares(balancer)).containsExactly(1, 0);
    }
}
