package io.sluice.handlers.bus.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.topic.BusUrl;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotTableTest {
    private static final BusUrl.Server ASKED = new BusUrl.Server("asked", 6379);

    private static SlotTable of(long first, long last, String host) {
        return SlotTable.of(List.of(List.of(first, last, List.of(host, 7000L))), ASKED);
    }

    @Test
    void isWholeIfEachSlotHasAMaster() {
        assertThat(of(0, 16383, "a").isWhole()).isTrue();
        assertThat(of(0, 16382, "a").isWhole()).isFalse();
        assertThat(of(5, 5, "").ranges())
                .containsExactly(new SlotTable.Range(5, 5, new BusUrl.Server("asked", 7000)));
    }

    /** Another server is asked then. */
    @ParameterizedTest
    @CsvSource({"-1, 5", "6, 5", "0, 16384", "4294967296, 4294967297"})
    void hasNoSlotsThatThereAreNot(long first, long last) {
        assertThatThrownBy(() -> of(first, last, "a")).hasMessageContaining("0..16383");
    }
}
