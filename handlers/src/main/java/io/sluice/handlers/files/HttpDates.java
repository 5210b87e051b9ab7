package io.sluice.handlers.files;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats and parses dates of HTTP, in the current and the two obsolete formats (RFC 9110 section 5.6.7). */
final class HttpDates {
    private static final DateTimeFormatter IMF_FIXDATE = formatter("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = formatter("EEE MMM ppd HH:mm:ss yyyy");

    private HttpDates() {
    }

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    /** A two-digit year means one at most fifty years away. */
    private static DateTimeFormatter rfc850() {
        return new DateTimeFormatterBuilder().appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, LocalDate.now(ZoneOffset.UTC).minusYears(49))
                .appendPattern(" HH:mm:ss 'GMT'").toFormatter(Locale.ENGLISH);
    }

    static String format(Instant time) {
        return IMF_FIXDATE.format(time.atOffset(ZoneOffset.UTC));
    }

    /** Returns the time of a field's value; null if it is invalid. */
    static @Nullable Instant parse(String value) {
        for (DateTimeFormatter format : List.of(IMF_FIXDATE, rfc850(), ASCTIME)) {
            try {
                return LocalDateTime.parse(value, format).toInstant(ZoneOffset.UTC);
            } catch (DateTimeException _) {
                // Try the next format.
            }
        }
        return null;
    }
}
