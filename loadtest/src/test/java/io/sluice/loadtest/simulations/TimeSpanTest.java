package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {

    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S, 250 ms", "90s, PT90S, 90 s", "16m, PT16M, 16 min", "120m, PT2H, 2 h",
            "8h, PT8H, 8 h", "1500ms, PT1.5S, '1,500 ms'"})
    void validTimeSpansAreReadAndPrinted(String written, Duration span, String told) {
        assertThat(TimeSpan.parse(written)).contains(span);
        assertThat(TimeSpan.text(span)).isEqualTo(told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "1.5s", "-1s", "0s", "1 s", "1d", "1S", "9999999999s", "٣s"})
    void invalidTimeSpansAreRejected(String text) {
        assertThat(TimeSpan.parse(text)).isEmpty();
    }
}
