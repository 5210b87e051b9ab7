package io.sluice.config.problem;

import java.util.Comparator;

/**
 * One mistake in a configuration.
 *
 * @param source the file, or another source of the value; may be empty
 * @param line the line in the file; 0 if unknown
 * @param message key, value and what was expected
 */
public record ConfigProblem(String source, int line, String message) implements Comparable<ConfigProblem> {
    private static final Comparator<ConfigProblem> ORDER = Comparator.comparing(ConfigProblem::source)
            .thenComparingInt(ConfigProblem::line).thenComparing(ConfigProblem::message);

    @Override
    public int compareTo(ConfigProblem other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return source.isEmpty() ? message : source + ':' + (line > 0 ? line + ": " : " ") + message;
    }
}
