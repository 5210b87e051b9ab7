package io.sluice.offload.source;

import io.sluice.offload.jdbc.IntervalText;
import io.sluice.offload.jdbc.TimetzText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes PostgreSQL's text format as JSON, like the answers of queries: numbers and booleans keep their
 * types, JSON is inserted as it is, binary values are Base64, times and intervals are ISO 8601. All else is
 * text, also numbers that JSON does not have (NaN, infinity).
 */
final class JsonText {
    private static final byte[] NULL = ascii("null");
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final int SPACE = ' ';
    /** A date or a time in UTC: 2026-01-31, 0044-03-15 10:00:00.5+00 BC. */
    private static final Pattern TIME =
            Pattern.compile("(?<year>\\d{4,})(?<day>-\\d\\d-\\d\\d)(?: (?<time>[\\d:.]+)(?<utc>\\+00)?)?"
                    + "(?<bc> BC)?");

    private JsonText() {
    }

    /**
     * Writes a value.
     *
     * @param type the number of its type (OID)
     * @param value in UTF-8
     */
    static void write(ByteArrayOutputStream json, int type, byte[] value) {
        switch (PgType.of(type)) {
            case BOOLEAN -> json.writeBytes(ascii(value[0] == 't' ? "true" : "false"));
            case NUMBER -> {
                if (value[value.length - 1] <= '9') {
                    json.writeBytes(value);
                } else {
                    string(json, value);
                }
            }
            case JSON -> json.writeBytes(value);
            case BINARY -> string(json, base64(value));
            case TIME -> string(json, iso(ascii(value)));
            case TIMETZ -> string(json, TimetzText.iso(ascii(value)));
            case INTERVAL -> string(json, IntervalText.iso(ascii(value)));
            case ARRAY -> ArrayText.write(json, PgType.elements(type), value);
            case TEXT -> string(json, value);
        }
    }

    static void writeNull(ByteArrayOutputStream json) {
        json.writeBytes(NULL);
    }

    /** Returns Base64 of {@code \x…}, the form of {@code bytea_output = hex}. */
    private static byte[] base64(byte[] value) {
        return Base64.getEncoder().encode(HexFormat.of().parseHex(ascii(value), 2, value.length));
    }

    /**
     * Returns 2026-01-31T10:00:00 for 2026-01-31 10:00:00, and Z for the offset +00. A year beyond 9999 has a
     * sign, and that before the year 1 is 0.
     */
    private static String iso(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            return text; // infinity
        }
        String year = parts.group("year");
        if (parts.group("bc") != null) {
            int before = Integer.parseInt(year) - 1;
            year = (before == 0 ? "%04d" : "-%04d").formatted(before);
        } else if (year.length() > 4) {
            year = '+' + year;
        }
        return year + parts.group("day") + (parts.group("time") == null ? "" : 'T' + parts.group("time"))
                + (parts.group("utc") == null ? "" : "Z");
    }

    /** Writes a text in quotes. */
    static void string(ByteArrayOutputStream json, String text) {
        string(json, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void string(ByteArrayOutputStream json, byte[] utf8) {
        json.write('"');
        int from = 0;
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b == '"' || b == '\\' || b >= 0 && b < SPACE) {
                json.write(utf8, from, i - from);
                from = i + 1;
                escape(json, b);
            }
        }
        json.write(utf8, from, utf8.length - from);
        json.write('"');
    }

    private static void escape(ByteArrayOutputStream json, byte b) {
        json.write('\\');
        switch (b) {
            case '"', '\\' -> json.write(b);
            case '\n' -> json.write('n');
            case '\r' -> json.write('r');
            case '\t' -> json.write('t');
            default -> {
                json.writeBytes(ascii("u00"));
                json.write(HEX[b >> 4]);
                json.write(HEX[b & 0xF]);
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String ascii(byte[] text) {
        return new String(text, StandardCharsets.US_ASCII);
    }
}
