package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.ClientNetwork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecoderLimitTest {
    private static final ClientNetwork CLIENT = new ClientNetwork(1, false);
    private static final ClientNetwork OTHER = new ClientNetwork(2, false);

    @Test
    void areGivenOnInOrder() {
        DecoderLimit places = DecoderLimit.ofThisLoop(2 << 20);
        for (int i = 0; i < DecoderLimit.MAX_PLACES; i++) {
            assertThat(places.acquire()).isTrue();
        }
        assertThat(places.acquire()).isFalse();
        assertThat(DecoderLimit.ofThisLoop(1 << 20)).isNotSameAs(places);
        List<String> placed = new ArrayList<>();
        places.await(CLIENT, () -> placed.add("first"));
        places.await(CLIENT, () -> placed.add("second"));

        places.release();
        assertThat(placed).containsExactly("first");
        assertThat(places.acquire()).isFalse();
        places.release();
        assertThat(placed).containsExactly("first", "second");
        for (int i = 0; i < DecoderLimit.MAX_PLACES; i++) {
            places.release();
        }
        assertThat(places.acquire()).isTrue();
        places.release();
    }

    @Test
    void clientsGetThemInTurn() {
        DecoderLimit places = DecoderLimit.ofThisLoop(1 << 20);
        for (int i = 0; i < DecoderLimit.MAX_PLACES; i++) {
            assertThat(places.acquire()).isTrue();
        }
        List<String> placed = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            String name = "many " + i;
            places.await(CLIENT, () -> placed.add(name));
        }
        places.await(OTHER, () -> placed.add("few 1"));
        places.await(OTHER, () -> placed.add("few 2"));

        for (int i = 0; i < 6 + DecoderLimit.MAX_PLACES; i++) {
            places.release();
        }

        assertThat(placed).containsExactly("many 1", "few 1", "many 2", "few 2", "many 3", "many 4");
    }
}
