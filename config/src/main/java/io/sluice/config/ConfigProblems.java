package io.sluice.config;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.Collection;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Collects mistakes, so that a user sees all of them at once. */
final class ConfigProblems {
    private final SortedSet<ConfigProblem> found = new TreeSet<>();

    void add(ConfigOrigin origin, String message) {
        found.add(new ConfigProblem(source(origin), Math.max(origin.lineNumber(), 0), message));
    }

    void add(String source, int line, String message) {
        found.add(new ConfigProblem(source, line, message));
    }

    /** A value that is not what its key takes. */
    void wrong(ConfigOrigin origin, String key, Object value, String expected) {
        add(origin, "%s: %s (expected: %s)".formatted(key, value, expected));
    }

    /** A key or name that does not exist, with the nearest that does. */
    void unknown(ConfigValue value, String key, String what, Collection<String> known) {
        add(value.origin(), "%s = %s: unknown %s (expected: %s)"
                .formatted(key, ScalarReader.shown(value), what, oneOf(key, known)));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    ConfigException toException() {
        return new ConfigException(found);
    }

    /** "one of a, b, c", and the likeliest where {@code name} looks like a slip of the pen. */
    static String oneOf(String name, Collection<String> known) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        String all = known.isEmpty() ? "none is defined"
                : "one of " + known.stream().sorted().collect(Collectors.joining(", "));
        return known.stream().min(Comparator.comparing(candidate -> distance(last, candidate)))
                .filter(candidate -> distance(last, candidate) <= Math.max(2, last.length() / 3))
                .map(candidate -> all + "; did you mean " + candidate + '?').orElse(all);
    }

    /** Levenshtein's edit distance. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private static String source(ConfigOrigin origin) {
        return origin.filename() != null ? origin.filename()
                : origin.resource() != null ? origin.resource() : origin.description();
    }
}
