package io.sluice.handlers.rows;

import io.sluice.offload.jdbc.IntervalText;
import io.sluice.offload.jdbc.TimetzText;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The writers of columns with dates, times and intervals, in ISO 8601. */
final class TimeColumn {
    static final ColumnWriter DATE = object(LocalDate.class, date ->
            date.equals(LocalDate.MAX) ? "infinity"
                    : date.equals(LocalDate.MIN) ? "-infinity" : date.toString());
    /** H2's and MariaDB's text: in MariaDB a time may be negative, or longer than a day. */
    static final ColumnWriter TIME = text(TimeColumn::shortest);
    /** PostgreSQL has the time 24:00, which its driver returns as Java's last nanosecond of a day. */
    static final ColumnWriter OF_DAY = object(LocalTime.class, time ->
            time.equals(LocalTime.MAX) ? "24:00:00" : DateTimeFormatter.ISO_LOCAL_TIME.format(time));
    static final ColumnWriter TIME_WITH_OFFSET =
            object(OffsetTime.class, DateTimeFormatter.ISO_OFFSET_TIME::format);
    static final ColumnWriter TIMESTAMP = object(LocalDateTime.class, time ->
            time.equals(LocalDateTime.MAX) ? "infinity"
                    : time.equals(LocalDateTime.MIN) ? "-infinity"
                    : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time));
    /** PostgreSQL stores the instant only, H2 also the offset; in UTC both give the same text. */
    static final ColumnWriter INSTANT = object(OffsetDateTime.class, time ->
            time.equals(OffsetDateTime.MAX) ? "infinity"
                    : time.equals(OffsetDateTime.MIN) ? "-infinity"
                    : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                            time.withOffsetSameInstant(ZoneOffset.UTC)));
    static final ColumnWriter PERIOD = object(Period.class, Period::toString);
    static final ColumnWriter DURATION = object(Duration.class, Duration::toString);
    /** Intervals of PostgreSQL, which have months, days and seconds. */
    static final ColumnWriter INTERVAL = text(IntervalText::iso);
    static final ColumnWriter OF_DAY_WITH_OFFSET = text(TimetzText::iso);

    /** Zeros at the end of the fraction of a second, with its point if there are only zeros. */
    private static final Pattern TRAILING_ZEROS = Pattern.compile("(?:\\.0+|(?<=\\.\\d{0,8}[1-9])0+)$");

    private TimeColumn() {
    }

    private static String shortest(String time) {
        return TRAILING_ZEROS.matcher(time).replaceFirst("");
    }

    private static <T> ColumnWriter object(Class<T> type, Function<T, String> format) {
        return (out, row, column) -> write(out, row.getObject(column, type), format);
    }

    private static ColumnWriter text(Function<String, String> format) {
        return (out, row, column) -> write(out, row.getString(column), format);
    }

    private static <T> long write(RowOutput out, @Nullable T value, Function<T, String> format)
            throws IOException {
        if (value == null) {
            out.writeNull();
        } else {
            out.writeText(format.apply(value));
        }
        return ColumnWriter.FIXED;
    }
}
