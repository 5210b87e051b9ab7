package io.sluice.gateway.exchange;

import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The value of the Date header (RFC 9110 section 5.6.7), formatted once a second. */
final class HttpDate {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter
            .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private static volatile HttpDate latest = new HttpDate(0);

    private final long second;
    private final AsciiString text;

    private HttpDate(long second) {
        this.second = second;
        text = new AsciiString(format(second));
    }

    static String format(long epochSecond) {
        return IMF_FIXDATE.format(Instant.ofEpochSecond(epochSecond));
    }

    /**
     * Returns the date for a time in milliseconds since 1970. Two threads may both format a new second; that
     * is harmless.
     */
    static AsciiString at(long millis) {
        long second = millis / 1000;
        HttpDate date = latest;
        if (date.second != second) {
            date = new HttpDate(second);
            latest = date;
        }
        return date.text;
    }
}
