package io.sluice.handlers.form;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field value with parameters (RFC 9110 section 5.6.6), such as {@code form-data; name="a"}.
 *
 * @param value in lower case; empty if the field is malformed or has a parameter twice
 * @param parameters by their names in lower case
 */
record HeaderParameters(String value, Map<String, String> parameters) {
    private static final HeaderParameters NONE = new HeaderParameters("", Map.of());

    static HeaderParameters parse(String field) {
        var parameters = new HashMap<String, String>();
        int end = endOfToken(field, 0);
        int at = end;
        while (at < field.length()) {
            int equals = field.indexOf('=', at);
            String name = field.substring(at + 1, equals < 0 ? field.length() : equals).strip();
            if (equals < 0) {
                at = name.isEmpty() ? field.length() : -1; // a ; at the end
            } else {
                var value = new StringBuilder();
                at = value(field, equals + 1, value);
                if (parameters.put(name.toLowerCase(Locale.ROOT), value.toString()) != null) {
                    return NONE;
                }
            }
            if (at < 0 || at < field.length() && field.charAt(at) != ';') {
                return NONE;
            }
        }
        return new HeaderParameters(field.substring(0, end).strip().toLowerCase(Locale.ROOT), parameters);
    }

    /** Appends a token or quoted string, and returns the place after it; -1 if a quotation does not end. */
    private static int value(String field, int from, StringBuilder value) {
        if (from == field.length() || field.charAt(from) != '"') {
            int end = endOfToken(field, from);
            value.append(field.substring(from, end).strip());
            return end;
        }
        for (int at = from + 1; at < field.length(); at++) {
            char next = field.charAt(at);
            if (next == '"') {
                return skipSpace(field, at + 1);
            }
            if (next == '\\' && at + 1 < field.length() && isEscapable(field.charAt(at + 1))) {
                next = field.charAt(++at);
            }
            value.append(next);
        }
        return -1;
    }

    /** A backslash before any other character is one of a Windows path. */
    private static boolean isEscapable(char next) {
        return next == '"' || next == '\\';
    }

    private static int endOfToken(String field, int from) {
        int semicolon = field.indexOf(';', from);
        return semicolon < 0 ? field.length() : semicolon;
    }

    private static int skipSpace(String field, int from) {
        int at = from;
        while (at < field.length() && (field.charAt(at) == ' ' || field.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    @Nullable String parameter(String name) {
        return parameters.get(name);
    }
}
