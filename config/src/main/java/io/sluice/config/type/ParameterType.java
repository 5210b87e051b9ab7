package io.sluice.config.type;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** The type of a query's parameter, which parses its text into a value for JDBC. */
public enum ParameterType {
    /** A 64-bit integer: {@link Long}. */
    LONG("a whole number"),
    /** A number: {@link BigDecimal}. */
    DECIMAL("a number, such as 12.50"),
    /** Any text. */
    TEXT("a text"),
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false"),
    /** {@link LocalDate}. */
    DATE("a date, such as 2026-01-31"),
    /** {@link OffsetDateTime}, or {@link LocalDateTime} without an offset. */
    TIMESTAMP("a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z"),
    /** {@link java.util.UUID}. */
    UUID("a UUID, such as 123e4567-e89b-12d3-a456-426614174000");

    private static final int MAX_DIGITS = 1000;
    private static final int UUID_LENGTH = 36;
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

    private final String expectation;

    ParameterType(String expectation) {
        this.expectation = expectation;
    }

    /** Returns a description of valid texts, for messages. */
    public String expectation() {
        return expectation;
    }

    /**
     * Parses a text into a value of this type.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public Object parse(String text) {
        try {
            requireAscii(text);
            return switch (this) {
                case LONG -> Long.valueOf(text);
                case DECIMAL -> decimal(text);
                case TEXT -> text;
                case BOOLEAN -> bool(text);
                case DATE -> LocalDate.parse(text);
                case TIMESTAMP -> timestamp(text);
                case UUID -> uuid(text);
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            boolean tooLarge = this == LONG && WHOLE_NUMBER.matcher(text).matches();
            throw new IllegalArgumentException(
                    tooLarge ? Long.MIN_VALUE + ".." + Long.MAX_VALUE : expectation, e);
        }
    }

    /** Java's parsers accept the digits of every script. */
    private void requireAscii(String text) {
        if (this != TEXT && text.chars().anyMatch(c -> c > '~')) {
            throw new IllegalArgumentException(text);
        }
    }

    /**
     * Rejects texts with so many digits that parsing them would block the event loop, and exponents that
     * would make a short text a number of millions of digits.
     */
    private static BigDecimal decimal(String text) {
        BigDecimal decimal = text.length() > MAX_DIGITS ? null : new BigDecimal(text);
        if (decimal == null || Math.abs((long) decimal.scale()) > MAX_DIGITS) {
            throw new NumberFormatException("more than " + MAX_DIGITS + " digits");
        }
        return decimal;
    }

    private static Boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** The offset is optional; a + in a query string arrives as a space. */
    private static Object timestamp(String text) {
        return DateTimeFormatter.ISO_DATE_TIME.parseBest(text.replace(' ', '+'),
                OffsetDateTime::from, LocalDateTime::from);
    }

    /** Java accepts 1-1-1-1-1 as a UUID, too. */
    private static java.util.UUID uuid(String text) {
        if (text.length() != UUID_LENGTH) {
            throw new IllegalArgumentException(text);
        }
        return java.util.UUID.fromString(text);
    }
}
