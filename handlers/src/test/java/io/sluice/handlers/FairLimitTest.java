package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.ClientNetwork;
import org.junit.jupiter.api.Test;

class FairLimitTest {
    private final ClientNetwork one = new ClientNetwork(1, false);
    private final ClientNetwork other = new ClientNetwork(2, false);

    @Test
    void oneClientMayTakeHalf() {
        var limit = new FairLimit(10);
        limit.add(one, 4);
        assertThat(limit.isFull(one)).isFalse();
        limit.add(one, 1);
        assertThat(limit.isFull(one)).isTrue();
        assertThat(limit.isFull(other)).isFalse();
        assertThat(limit.isFull(null)).isFalse();

        limit.add(one, -1);
        assertThat(limit.isFull(one)).isFalse();
        assertThat(limit.used()).isEqualTo(4);
    }

    @Test
    void allTogetherMayTakeTheWhole() {
        var limit = new FairLimit(10);
        limit.add(one, 4);
        limit.add(null, 6);
        assertThat(limit.isFull(one)).isTrue();
        assertThat(limit.isFull(other)).isTrue();
        assertThat(limit.isFull(null)).isTrue();
    }

    @Test
    void aLimitOfOneServesEachClient() {
        var limit = new FairLimit(1);
        assertThat(limit.isFull(one)).isFalse();
        limit.add(one, 1);
        assertThat(limit.isFull(other)).isTrue();
    }
}
