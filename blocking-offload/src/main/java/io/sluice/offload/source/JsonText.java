package io.sluice.offload.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Writes PostgreSQL's text format as JSON, like the answers of queries: numbers and booleans keep their
 * types, JSON is inserted as it is, binary values are Base64, and times are ISO 8601. All else is text, also
 * numbers that JSON does not have (NaN, infinity).
 */
final class JsonText {
    private static final byte[] NULL = ascii("null");
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final int SPACE = ' ';

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
            case TIMESTAMP -> string(json, iso(value));
            case ARRAY -> ArrayText.write(json, PgType.elements(type), value);
            case TEXT -> string(json, value);
        }
    }

    static void writeNull(ByteArrayOutputStream json) {
        json.writeBytes(NULL);
    }

    /** Returns Base64 of {@code \x…}, the form of {@code bytea_output = hex}. */
    private static byte[] base64(byte[] value) {
        String hex = new String(value, 2, value.length - 2, StandardCharsets.US_ASCII);
        return Base64.getEncoder().encode(HexFormat.of().parseHex(hex));
    }

    /** Returns 2026-01-31T10:00:00 of 2026-01-31 10:00:00, and Z for the offset +00. */
    private static byte[] iso(byte[] value) {
        String text = new String(value, StandardCharsets.US_ASCII).replaceFirst(" ", "T");
        return ascii(text.endsWith("+00") ? text.substring(0, text.length() - 3) + 'Z' : text);
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
}
