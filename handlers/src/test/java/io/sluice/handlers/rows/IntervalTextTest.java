package io.sluice.handlers.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTextTest {
    /** Texts of IntervalStyle postgres, and the same intervals in iso_8601. */
    @ParameterizedTest
    @CsvSource({"1 day, P1D", "1 day 02:00:00, P1DT2H",
        "1 year 2 mons 3 days 04:05:06.789, P1Y2M3DT4H5M6.789S",
        "00:00:00, PT0S", "-1 days +02:03:00, P-1DT2H3M", "-00:00:00.5, PT-0.5S", "-1 years -2 mons, P-1Y-2M",
        "1 mon -1 days, P1M-1D", "100:00:00, PT100H", "'', ''", "infinity, infinity", "P1DT2H, P1DT2H",
        "@ 1 day ago, @ 1 day ago"})
    void isIso8601(String text, String iso) {
        assertThat(IntervalText.iso(text)).isEqualTo(iso);
    }
}
