package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OversizeValuesTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final OversizeValues values = new OversizeValues(clock);

    @Test
    void areRememberedForTenSeconds() {
        assertThat(values.isEmpty()).isTrue();
        values.add(of(1, "a"));

        clock.advance(9, TimeUnit.SECONDS);
        assertThat(values.has(of(1, "a"))).isTrue();
        assertThat(values.isEmpty()).isFalse();

        clock.advance(1, TimeUnit.SECONDS);
        assertThat(values.has(of(1, "a"))).isFalse();
        assertThat(values.isEmpty()).isTrue();
    }

    @Test
    void similarValuesAreDistinguished() {
        values.add(of("a, b", "c", null));

        assertThat(values.has(of("a", "b, c", null))).isFalse();
        assertThat(values.has(of("a, b", "c", "null"))).isFalse();
        assertThat(values.has(of("AaAa", "c", null))).isFalse();
        values.add(of("AaAa"));
        assertThat(values.has(of("BBBB"))).as("of the same hash code").isFalse();
    }

    /** The elements for which a step runs. */
    @Test
    void mayHaveArraysWithinThem() {
        values.add(of(7, List.of(of(1, null), of(2, "a"))));

        assertThat(values.has(of(7, List.of(of(1, null), of(2, "a"))))).isTrue();
        assertThat(values.has(of(7, List.of(of(1, null), of(2, "b"))))).isFalse();
    }

    @Test
    void areBounded() {
        for (int i = 0; i < 1000; i++) {
            values.add(of(i));
        }
        assertThat(IntStream.range(0, 1000).filter(i -> values.has(of(i))).count()).isBetween(32L, 64L);
    }

    private static Object[] of(Object... values) {
        return values;
    }
}
