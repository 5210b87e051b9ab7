package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.config.UpstreamConfig.Balance;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The choice of endpoints by a hash of the request. */
class HashedChoiceTest {
    private static final int MANY = TestEndpoints.MANY;

    private final TestEndpoints endpoints = new TestEndpoints();

    private Endpoint chooseBy(long key, LoadBalancer balancer) {
        return balancer.choose(Hash.of(key), Set.of(), endpoints.route, endpoints.clock);
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
        assertThat(TestEndpoints.shares(counts))
                .containsExactly(new double[] {0.5, 0.25, 0.25}, within(0.02));
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
}
