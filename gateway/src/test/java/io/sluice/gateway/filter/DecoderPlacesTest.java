package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecoderPlacesTest {

    @Test
    void areGivenOnInOrder() {
        DecoderPlaces places = DecoderPlaces.ofThisLoop(2 << 20);
        for (int i = 0; i < DecoderPlaces.MAX_PLACES; i++) {
            assertThat(places.take()).isTrue();
        }
        assertThat(places.take()).isFalse();
        assertThat(DecoderPlaces.ofThisLoop(1 << 20)).isNotSameAs(places);
        List<String> placed = new ArrayList<>();
        places.await(() -> placed.add("first"));
        places.await(() -> placed.add("second"));

        places.leave();
        assertThat(placed).containsExactly("first");
        assertThat(places.take()).isFalse();
        places.leave();
        assertThat(placed).containsExactly("first", "second");
        for (int i = 0; i < DecoderPlaces.MAX_PLACES; i++) {
            places.leave();
        }
        assertThat(places.take()).isTrue();
        places.leave();
    }
}
