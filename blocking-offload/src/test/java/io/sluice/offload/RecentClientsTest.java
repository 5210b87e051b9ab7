package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecentClientsTest {
    private static final ClientNetwork ONE = new ClientNetwork(1, false);
    private static final ClientNetwork OTHER = new ClientNetwork(2, false);

    private final RecentClients clients = new RecentClients();

    private boolean arrives(ClientNetwork client, long seconds) {
        clients.arrived(client, TimeUnit.SECONDS.toNanos(seconds));
        return clients.any();
    }

    @Test
    void areThereForAMinuteAfterAnotherClient() {
        assertThat(arrives(ONE, 0)).isFalse();
        assertThat(arrives(null, 1)).as("the gateway itself").isFalse();
        assertThat(arrives(ONE, 50)).isFalse();
        assertThat(arrives(OTHER, 100)).isTrue();
        assertThat(arrives(OTHER, 159)).isTrue();
        assertThat(arrives(OTHER, 160)).isFalse();
        assertThat(arrives(ONE, 219)).isTrue();
    }

    @Test
    void areNoneWhereTheOtherClientCameLongAgo() {
        assertThat(arrives(ONE, 0)).isFalse();
        assertThat(arrives(OTHER, 60)).isFalse();
    }
}
