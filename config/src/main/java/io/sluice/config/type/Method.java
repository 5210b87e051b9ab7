package io.sluice.config.type;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A request method of routes (RFC 9110 section 9). Upper and lower case differ. In order, the standard ones
 * come first.
 *
 * @param name as it is sent; {@code *} for any
 */
public record Method(String name) implements Comparable<Method> {
    public static final String EXPECTED = "a method in upper case, such as GET";

    public static final Method GET = new Method("GET");
    public static final Method HEAD = new Method("HEAD");
    public static final Method POST = new Method("POST");
    public static final Method PUT = new Method("PUT");
    public static final Method PATCH = new Method("PATCH");
    public static final Method DELETE = new Method("DELETE");
    public static final Method OPTIONS = new Method("OPTIONS");
    /** The methods of RFC 9110 and RFC 5789 that routes serve. */
    public static final List<Method> STANDARD = List.of(GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS);
    /** Matches any method that routes serve. */
    public static final Method ANY = new Method("*");

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Z-]+");
    private static final Comparator<Method> STANDARD_FIRST = Comparator
            .comparingInt((Method method) -> STANDARD.indexOf(method) & Integer.MAX_VALUE)
            .thenComparing(Method::name);

    /**
     * Reads a method.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static Method parse(String text) {
        if (!TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        if (text.equals("TRACE") || text.equals("CONNECT")) {
            throw new IllegalArgumentException(
                    "a method other than TRACE and CONNECT, which no route serves");
        }
        return new Method(text);
    }

    @Override
    public int compareTo(Method other) {
        return STANDARD_FIRST.compare(this, other);
    }

    @Override
    public String toString() {
        return name;
    }
}
