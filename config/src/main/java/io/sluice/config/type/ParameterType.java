package io.sluice.config.type;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The type of a query's parameter.
 *
 * @param scalar the type of the value, or of the elements of an array
 * @param isArray whether the value is an array, written as {@code long[]}
 */
public record ParameterType(ScalarType scalar, boolean isArray) {
    public static final String EXPECTED = "one of " + Arrays.stream(ScalarType.values())
            .map(ParameterType::word).sorted().collect(Collectors.joining(", "))
            + ", or long[] for an array";

    /** The type of a companion: whether a request has a parameter. */
    public static final ParameterType SENT = new ParameterType(ScalarType.BOOLEAN, false);

    private static final String ARRAY = "[]";
    private static final Set<ScalarType> NO_ELEMENTS = EnumSet.of(ScalarType.JSON, ScalarType.BYTEA);

    /**
     * Parses the name of a type.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static ParameterType parse(String text) {
        boolean isArray = text.endsWith(ARRAY);
        String name = isArray ? text.substring(0, text.length() - ARRAY.length()) : text;
        ScalarType scalar = Arrays.stream(ScalarType.values())
                .filter(type -> word(type).equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(EXPECTED));
        if (isArray && NO_ELEMENTS.contains(scalar)) {
            throw new IllegalArgumentException("a type of elements other than json and bytea");
        }
        return new ParameterType(scalar, isArray);
    }

    private static String word(ScalarType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return word(scalar) + (isArray ? ARRAY : "");
    }
}
