package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerGaugeTest {

    private static final String METRICS = """
            # TYPE jvm_memory_used_bytes gauge
            jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 4194304.0
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1.048576E6
            jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 2.0
            process_resident_memory_bytes NaN
            jvm_threads_live_threads 30.0
            """;

    @Test
    void partialMetricsAreSummedUp() {
        assertThat(ServerGauge.HEAP_IN_USE.in(METRICS)).hasValue(5 * 1_048_576);
        assertThat(ServerGauge.THREADS.in(METRICS)).hasValue(30);
        assertThat(ServerGauge.RESIDENT_MEMORY.in(METRICS)).isEmpty();
        assertThat(ServerGauge.OPEN_DESCRIPTORS.in(METRICS)).isEmpty();
    }

    @Test
    void hasNamesAndUnits() {
        assertThat(ServerGauge.HEAP_IN_USE).hasToString("heap in use");
        assertThat(ServerGauge.HEAP_IN_USE.text(5 * 1_048_576)).isEqualTo("5.0 MiB");
        assertThat(ServerGauge.HEAP_IN_USE.change(-1_048_576)).isEqualTo("-1.0 MiB");
        assertThat(ServerGauge.THREADS.text(1_030)).isEqualTo("1,030");
        assertThat(ServerGauge.THREADS.change(0.25)).isEqualTo("+0.3");
    }
}
