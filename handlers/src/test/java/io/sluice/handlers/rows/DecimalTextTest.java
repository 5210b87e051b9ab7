package io.sluice.handlers.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalTextTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "-1.50, -1.50", "0.10, 0.10", ".5, 0.5", "1e3, 1000", "1E+100000, 1E+100000",
        "007, 7"})
    void isThatOfJson(String text, String json) {
        assertThat(DecimalText.json(text)).isEqualTo(json);
    }

    /** A conversion takes time by the square of the digits. */
    @Test
    void manyDigitsStayAsTheyAre() {
        String digits = "-" + "9".repeat(130_000) + "." + "9".repeat(16_000);
        assertThat(DecimalText.json(digits)).isSameAs(digits);
    }
}
