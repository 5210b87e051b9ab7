package io.sluice.config.session;

import io.sluice.config.type.HeaderName;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The source of a setting's value: {@code caller}, {@code header X-Tenant} or {@code text web}.
 *
 * @param detail the header's name or the text; empty for the caller
 */
public record SettingSource(Kind kind, String detail) {
    public static final String EXPECTED = "caller, header and its name, or text and the value";

    private static final Pattern DETAILED = Pattern.compile("(header|text)\\s+(\\S.*)");

    /** The kinds of sources. */
    public enum Kind {
        /** The name of the caller's token. */
        CALLER,
        /** A header of the request. */
        HEADER,
        /** A constant. */
        TEXT
    }

    /**
     * Reads a source.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static SettingSource parse(String text) {
        String stripped = text.strip();
        if (stripped.equals("caller")) {
            return new SettingSource(Kind.CALLER, "");
        }
        Matcher detailed = DETAILED.matcher(stripped);
        if (!detailed.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        Kind kind = Kind.valueOf(detailed.group(1).toUpperCase(Locale.ROOT));
        if (kind == Kind.HEADER && !HeaderName.isValid(detailed.group(2))) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new SettingSource(kind, detailed.group(2));
    }

    @Override
    public String toString() {
        return (kind.name().toLowerCase(Locale.ROOT) + ' ' + detail).strip();
    }
}
