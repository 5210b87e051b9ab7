package io.sluice.offload.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts PostgreSQL's default text of intervals to ISO 8601. */
public final class IntervalText {
    private static final Pattern POSTGRES = Pattern.compile("(?:(-?\\d+) years? ?)?(?:([+-]?\\d+) mons? ?)?"
            + "(?:([+-]?\\d+) days? ?)?(?:([+-]?)(\\d+):(\\d\\d):(\\d\\d(?:\\.\\d+)?))?");

    private IntervalText() {
    }

    /**
     * Returns {@code P1Y2M3DT4H5M6.7S} for {@code 1 year 2 mons 3 days 04:05:06.7}; text in another format,
     * such as {@code infinity} or that of another IntervalStyle, is returned as it is.
     */
    public static String iso(String text) {
        Matcher parts = POSTGRES.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            return text;
        }
        var iso = new StringBuilder("P");
        add(iso, "", parts.group(1), 'Y');
        add(iso, "", parts.group(2), 'M');
        add(iso, "", parts.group(3), 'D');
        if (parts.group(5) != null) {
            String sign = parts.group(4).equals("-") ? "-" : "";
            var time = new StringBuilder();
            add(time, sign, parts.group(5), 'H');
            add(time, sign, parts.group(6), 'M');
            add(time, sign, parts.group(7), 'S');
            iso.append(time.isEmpty() ? "" : "T").append(time);
        }
        return iso.length() == 1 ? "PT0S" : iso.toString();
    }

    /** Adds a part, without leading zeros, unless it is zero. */
    private static void add(StringBuilder iso, String sign, String digits, char unit) {
        String number = digits == null ? "" : digits.replaceFirst("^\\+?", "").replaceFirst("^0+(?=\\d)", "");
        if (!number.isEmpty() && !number.equals("0")) {
            iso.append(sign).append(number).append(unit);
        }
    }
}
