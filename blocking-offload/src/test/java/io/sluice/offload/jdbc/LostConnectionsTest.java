package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LostConnectionsTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final LostConnections lost = new LostConnections(2, clock);

    @Test
    void areManyForASecond() {
        lost.add();
        assertThat(lost.areMany()).isFalse();

        clock.advance(900, TimeUnit.MILLISECONDS);
        lost.add();
        assertThat(lost.areMany()).isTrue();

        clock.advance(100, TimeUnit.MILLISECONDS);
        assertThat(lost.areMany()).isFalse();
        lost.add();
        assertThat(lost.areMany()).as("those of the second before are forgotten").isFalse();
    }
}
