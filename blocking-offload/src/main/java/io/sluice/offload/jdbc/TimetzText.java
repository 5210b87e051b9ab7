package io.sluice.offload.jdbc;

import java.time.OffsetTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * Converts PostgreSQL's text of times with an offset to ISO 8601. Its driver loses the offset of 24:00 in an
 * OffsetTime.
 */
public final class TimetzText {
    /** PostgreSQL's text format: 10:00:00.5+02, 10:00:00-05:30. */
    private static final DateTimeFormatter TIMETZ = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_TIME).appendOffset("+HH:mm:ss", "Z")
            .toFormatter(Locale.ROOT);

    private TimetzText() {
    }

    /** Returns 10:00:00+02:00 for 10:00:00+02, and Z for the offset +00. */
    public static String iso(String text) {
        return text.startsWith("24") ? "24" + ofDay("00" + text.substring(2)).substring(2) : ofDay(text);
    }

    private static String ofDay(String text) {
        return DateTimeFormatter.ISO_OFFSET_TIME.format(TIMETZ.parse(text, OffsetTime::from));
    }
}
