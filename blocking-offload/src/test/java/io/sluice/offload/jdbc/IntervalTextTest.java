package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class IntervalTextTest {
    /** Texts of IntervalStyle postgres, and the same intervals in iso_8601. */
    private static final Map<String, String> INTERVALS = Map.ofEntries(
            Map.entry("1 day", "P1D"), Map.entry("1 day 02:00:00", "P1DT2H"),
            Map.entry("1 year 2 mons 3 days 04:05:06.789", "P1Y2M3DT4H5M6.789S"),
            Map.entry("00:00:00", "PT0S"), Map.entry("-1 days +02:03:00", "P-1DT2H3M"),
            Map.entry("-00:00:00.5", "PT-0.5S"), Map.entry("-1 years -2 mons", "P-1Y-2M"),
            Map.entry("1 mon -1 days", "P1M-1D"), Map.entry("100:00:00", "PT100H"), Map.entry("", ""),
            Map.entry("infinity", "infinity"), Map.entry("P1DT2H", "P1DT2H"),
            Map.entry("@ 1 day ago", "@ 1 day ago"));

    @Test
    void isIso8601() {
        INTERVALS.forEach((text, iso) -> assertThat(IntervalText.iso(text)).isEqualTo(iso));
    }
}
