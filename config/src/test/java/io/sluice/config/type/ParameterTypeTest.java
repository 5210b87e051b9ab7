package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterTypeTest {

    @ParameterizedTest
    @CsvSource({
        "LONG, -7, java.lang.Long, -7",
        "DECIMAL, 12.50, java.math.BigDecimal, 12.50",
        "TEXT, ' a ', java.lang.String, ' a '",
        "BOOLEAN, true, java.lang.Boolean, true",
        "DATE, 2026-01-31, java.time.LocalDate, 2026-01-31",
        "TIMESTAMP, 2026-01-31T10:00:00, java.time.LocalDateTime, 2026-01-31T10:00",
        "TIMESTAMP, 2026-01-31T10:00:00 01:00, java.time.OffsetDateTime, 2026-01-31T10:00+01:00",
        "UUID, 123e4567-e89b-12d3-a456-426614174000, java.util.UUID, 123e4567-e89b-12d3-a456-426614174000",
    })
    void readsATextOfItsType(ParameterType type, String text, Class<?> of, String value) {
        assertThat(type.parse(text)).isInstanceOf(of).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource({
        "LONG, x, a whole number",
        "LONG, \u0663, a whole number", "LONG, \uff11, a whole number",
        "DECIMAL, \u0661.\u0662, 'a number, such as 12.50'",
        "UUID, 123e4567-e89b-12d3-a456-42661417400\u0660, "
                + "'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
        "LONG, 9223372036854775808, -9223372036854775808..9223372036854775807",
        "DECIMAL, 1e9999, 'a number, such as 12.50'",
        "BOOLEAN, 1, true or false",
        "DATE, 2026-02-30, 'a date, such as 2026-01-31'",
        "UUID, 1-1-1-1-1, 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
    })
    void saysWhatItExpectedInstead(ParameterType type, String text, String expected) {
        assertThatThrownBy(() -> type.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }

    @Test
    void refusesDigitsThatWouldTakeLongToRead() {
        assertThatThrownBy(() -> ParameterType.DECIMAL.parse("9".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
