package io.sluice.config.type;

import java.util.regex.Pattern;

/** The URL of a database, in which there may be credentials: for the driver as it is, masked for people. */
public record DatabaseUrl(String text) implements Confidential {
    public static final String EXPECTED = "a text";

    /** {@code //user:password@host}, and Oracle's {@code thin:user/password@host}. */
    private static final Pattern USER = Pattern.compile("^(.*?//|[^/]*:)[^?;]*@");
    private static final String SECRET = "(?i:pas|pw|secret|token|cred|key)";
    /** {@code ?password=}, and {@code ;password=}, whose value may be in braces. */
    private static final Pattern PARAMETER = Pattern.compile(
            "([?&][^=&]*" + SECRET + "[^=&]*=)[^&]*|(;[^=;]*" + SECRET + "[^=;]*=)(?:\\{[^}]*}|[^;]*)");

    /** Takes any text. */
    public static DatabaseUrl parse(String text) {
        return new DatabaseUrl(text);
    }

    @Override
    public String toString() {
        String masked = USER.matcher(text).replaceFirst("$1" + MASK + '@');
        return PARAMETER.matcher(masked).replaceAll(match ->
                (match.group(1) == null ? match.group(2) : match.group(1)) + MASK);
    }
}
