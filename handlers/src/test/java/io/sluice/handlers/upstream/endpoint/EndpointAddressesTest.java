package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointAddressesTest {

    /** Requests that connect together fail together: none of them may bring the dead address back. */
    @Test
    void moveOnFromAnAddressOnceForAllThatTriedIt() {
        InetSocketAddress dead = InetSocketAddress.createUnresolved("dead", 80);
        InetSocketAddress alive = InetSocketAddress.createUnresolved("alive", 80);
        var addresses = new EndpointAddresses();
        addresses.set(List.of(dead, alive));

        addresses.unreachable(dead);
        addresses.unreachable(dead);
        assertThat(addresses.preferred()).isEqualTo(alive);
        addresses.unreachable(alive);
        assertThat(addresses.preferred()).isEqualTo(dead);
    }
}
