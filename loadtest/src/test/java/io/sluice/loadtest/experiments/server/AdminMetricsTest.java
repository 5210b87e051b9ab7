package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AdminMetricsTest {

    private final AdminMetrics metrics = new AdminMetrics("""
            # HELP heap_bytes Heap
            heap_bytes{id="eden"} 1000.0
            heap_bytes{id="old"} 2.5E3
            threads 7
            """);

    @Test
    void sumsTheSeriesThatBeginSo() {
        assertThat(metrics.sum("heap_bytes{")).isEqualTo(3_500);
        assertThat(metrics.sum("threads")).isEqualTo(7);
        assertThatThrownBy(() -> metrics.sum("fish")).hasMessage("fish: no such series in /metrics");
    }
}
