package io.sluice.config.type;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Base64;
import java.util.regex.Pattern;

/** A type of single values in parameters of queries, which parses a text into a value for JDBC. */
public enum ScalarType {
    /** A 32-bit integer: {@link Integer}. */
    INT("a whole number"),
    /** A 64-bit integer: {@link Long}. */
    LONG("a whole number"),
    /** A finite number of 64 bits: {@link Double}. */
    DOUBLE("a number, such as 12.5"),
    /** A number: {@link BigDecimal}. */
    DECIMAL("a number, such as 12.50"),
    /** Any text. */
    TEXT("a text"),
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false"),
    /** {@link LocalDate}. */
    DATE("a date, such as 2026-01-31"),
    /** {@link LocalTime}. */
    TIME("a time, such as 10:00:00"),
    /** {@link OffsetDateTime}, or {@link LocalDateTime} without an offset. */
    TIMESTAMP("a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z"),
    /** {@link OffsetDateTime}. */
    TIMESTAMPTZ("a timestamp with an offset, such as 2026-01-31T10:00:00Z"),
    /** {@link java.util.UUID}. */
    UUID("a UUID, such as 123e4567-e89b-12d3-a456-426614174000"),
    /** {@code byte[]}, from base64 with padding (RFC 4648 section 4). */
    BYTEA("base64, such as 3q2+7w=="),
    /** The text of a JSON value, which is not checked here. */
    JSON("a JSON value"),
    /** A text that the configuration lists, which is not checked here. */
    ENUM("a text");

    private static final int MAX_DIGITS = 1000;
    /** A year less than PostgreSQL's timestamps have, at both ends, as offsets may cross it. */
    private static final int FIRST_YEAR = -4711;
    private static final int LAST_YEAR = 294_275;
    private static final LocalTime LAST_TIME = LocalTime.MAX.minusNanos(500);
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

    private final String expectation;

    ScalarType(String expectation) {
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
                case INT -> Integer.valueOf(text);
                case LONG -> Long.valueOf(text);
                case DOUBLE -> finite(decimal(text));
                case DECIMAL -> decimal(text);
                case TEXT, JSON, ENUM -> text;
                case BOOLEAN -> bool(text);
                case DATE -> storable(LocalDate.parse(text));
                case TIME -> time(text);
                case TIMESTAMP -> storable(timestamp(text));
                case TIMESTAMPTZ -> storable(OffsetDateTime.parse(plus(text)));
                case UUID -> uuid(text);
                case BYTEA -> base64(text);
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    WHOLE_NUMBER.matcher(text).matches() ? range() : expectation, e);
        }
    }

    private String range() {
        return switch (this) {
            case INT -> Integer.MIN_VALUE + ".." + Integer.MAX_VALUE;
            case LONG -> Long.MIN_VALUE + ".." + Long.MAX_VALUE;
            default -> expectation;
        };
    }

    /** Java's parsers accept the digits of every script. */
    private void requireAscii(String text) {
        boolean isText = this == TEXT || this == JSON || this == ENUM;
        if (!isText && text.chars().anyMatch(c -> c > '~')) {
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

    private static Double finite(BigDecimal decimal) {
        double value = decimal.doubleValue();
        if (Double.isInfinite(value)) {
            throw new NumberFormatException("too large");
        }
        return value;
    }

    private static Boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** The offset is optional. */
    private static TemporalAccessor timestamp(String text) {
        return DateTimeFormatter.ISO_DATE_TIME.parseBest(plus(text),
                OffsetDateTime::from, LocalDateTime::from);
    }

    /** PostgreSQL's driver sends infinity in place of values beyond the years of the server's timestamps. */
    private static TemporalAccessor storable(TemporalAccessor value) {
        int year = value.get(ChronoField.YEAR);
        if (year < FIRST_YEAR || year > LAST_YEAR) {
            throw new DateTimeException("year " + year);
        }
        return value;
    }

    /** Drivers send microseconds, rounded; a day has no 24:00. */
    private static LocalTime time(String text) {
        LocalTime time = LocalTime.parse(text);
        if (time.isAfter(LAST_TIME)) {
            throw new DateTimeException(text);
        }
        return time;
    }

    /** A + in a query string arrives as a space. */
    private static String plus(String text) {
        return text.replace(' ', '+');
    }

    /** Java accepts texts without padding, too. */
    private static byte[] base64(String text) {
        if (text.length() % 4 != 0) {
            throw new IllegalArgumentException(text);
        }
        return Base64.getDecoder().decode(text);
    }

    /** Java accepts 1-1-1-1-1 as a UUID, too, and signs. */
    private static java.util.UUID uuid(String text) {
        java.util.UUID uuid = java.util.UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return uuid;
    }
}
