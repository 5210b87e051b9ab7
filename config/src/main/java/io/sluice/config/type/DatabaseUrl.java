package io.sluice.config.type;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JDBC URL of a database; {@code toString} masks the credentials in it. */
public record DatabaseUrl(String text) implements Confidential {
    public static final String EXPECTED = "a text";

    /**
     * Credentials before the host: {@code //user:password@host}, or Oracle's {@code thin:user/password@host}.
     */
    private static final Pattern USER = Pattern.compile("^(.*?//|[^/]*:)[^?;]*@");
    private static final String SECRET = "(?i:pas|pw|secret|token|cred|key)";
    /** Credentials in parameters: {@code ?password=}, or {@code ;password=}, whose value may be in braces. */
    private static final Pattern PARAMETER = Pattern.compile(
            "([?&][^=&]*" + SECRET + "[^=&]*=)[^&]*|(;[^=;]*" + SECRET + "[^=;]*=)(?:\\{[^}]*}|[^;]*)");

    /** Accepts any text. */
    public static DatabaseUrl parse(String text) {
        return new DatabaseUrl(text);
    }

    @Override
    public String toString() {
        return maskParameters(USER.matcher(text).replaceFirst("$1" + MASK + '@'));
    }

    /** Returns an address with the values of those parameters masked that may be secrets. */
    public static String maskParameters(String address) {
        return PARAMETER.matcher(address).replaceAll(match -> Matcher.quoteReplacement(
                (match.group(1) == null ? match.group(2) : match.group(1)) + MASK));
    }
}
