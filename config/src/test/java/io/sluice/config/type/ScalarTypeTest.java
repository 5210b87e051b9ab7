package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalarTypeTest {

    @ParameterizedTest
    @CsvSource({
        "LONG, -7, java.lang.Long, -7",
        "INT, -7, java.lang.Integer, -7",
        "DOUBLE, 1e3, java.lang.Double, 1000.0",
        "TIME, 10:00, java.time.LocalTime, 10:00",
        "TIMESTAMPTZ, 2026-01-31T10:00:00 01:00, java.time.OffsetDateTime, 2026-01-31T10:00+01:00",
        "DECIMAL, 12.50, java.math.BigDecimal, 12.50",
        "TEXT, ' a ', java.lang.String, ' a '",
        "BOOLEAN, true, java.lang.Boolean, true",
        "DATE, 2026-01-31, java.time.LocalDate, 2026-01-31",
        "DATE, -4711-01-01, java.time.LocalDate, -4711-01-01",
        "TIME, 23:59:59.999999499, java.time.LocalTime, 23:59:59.999999499",
        "TIMESTAMP, 2026-01-31T10:00:00, java.time.LocalDateTime, 2026-01-31T10:00",
        "TIMESTAMP, 2026-01-31T10:00:00 01:00, java.time.OffsetDateTime, 2026-01-31T10:00+01:00",
        "UUID, 123e4567-e89b-12d3-a456-426614174000, java.util.UUID, 123e4567-e89b-12d3-a456-426614174000",
        "UUID, 123E4567-E89B-12D3-A456-426614174000, java.util.UUID, 123e4567-e89b-12d3-a456-426614174000",
    })
    void readsATextOfItsType(ScalarType type, String text, Class<?> of, String value) {
        assertThat(type.parse(text)).isInstanceOf(of).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource({
        "LONG, x, a whole number",
        "INT, 2147483648, -2147483648..2147483647", "INT, 1.0, a whole number",
        "DOUBLE, 1e400, 'a number, such as 12.5'", "DOUBLE, NaN, 'a number, such as 12.5'",
        "DOUBLE, 0x1p3, 'a number, such as 12.5'", "DOUBLE, 1d, 'a number, such as 12.5'",
        "TIME, 10:00Z, 'a time, such as 10:00:00'", "TIME, 24:00, 'a time, such as 10:00:00'",
        "TIME, 23:59:59.9999995, 'a time, such as 10:00:00'",
        "DATE, +999999999-12-31, 'a date, such as 2026-01-31'",
        "DATE, -5000-01-01, 'a date, such as 2026-01-31'",
        "TIMESTAMP, +300000-01-01T00:00:00, "
                + "'a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z'",
        "TIMESTAMPTZ, +294276-12-31T23:59:59-01:00, "
                + "'a timestamp with an offset, such as 2026-01-31T10:00:00Z'",
        "TIMESTAMPTZ, 2026-01-31T10:00:00, 'a timestamp with an offset, such as 2026-01-31T10:00:00Z'",
        "BYTEA, 3q2 7w==, 'base64, such as 3q2+7w=='",
        "BYTEA, 3q2+7w, 'base64, such as 3q2+7w=='", "BYTEA, 3q2-7w==, 'base64, such as 3q2+7w=='",
        "LONG, \u0663, a whole number", "LONG, \uff11, a whole number",
        "DECIMAL, \u0661.\u0662, 'a number, such as 12.50'",
        "UUID, 123e4567-e89b-12d3-a456-42661417400\u0660, "
                + "'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
        "LONG, 9223372036854775808, -9223372036854775808..9223372036854775807",
        "DECIMAL, 1e9999, 'a number, such as 12.50'",
        "BOOLEAN, 1, true or false",
        "DATE, 2026-02-30, 'a date, such as 2026-01-31'",
        "UUID, 1-1-1-1-1, 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
        "UUID, 0123e4567-e89b-12d3-a456-42661417400, 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
        "UUID, 123e4567-e89b-12d3-a456-+26614174000, 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
    })
    void invalidTextIsReportedWithTheExpectation(ScalarType type, String text, String expected) {
        assertThatThrownBy(() -> type.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }

    @Test
    void refusesDigitsThatWouldTakeLongToRead() {
        assertThatThrownBy(() -> ScalarType.DECIMAL.parse("9".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsBase64() {
        assertThat((byte[]) ScalarType.BYTEA.parse("3q2+7w=="))
                .containsExactly(0xDE, 0xAD, 0xBE, 0xEF);
    }
}
