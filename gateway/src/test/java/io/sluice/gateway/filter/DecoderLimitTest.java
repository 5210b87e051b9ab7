package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecoderLimitTest {

    @Test
    void areGivenOnInOrder() {
        DecoderLimit places = DecoderLimit.ofThisLoop(2 << 20);
        for (int i = 0; i < DecoderLimit.MAX_PLACES; i++) {
            assertThat(places.acquire()).isTrue();
        }
        assertThat(places.acquire()).isFalse();
        assertThat(DecoderLimit.ofThisLoop(1 << 20)).isNotSameAs(places);
        List<String> placed = new ArrayList<>();
        places.await(() -> placed.add("first"));
        places.await(() -> placed.add("second"));

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
}
