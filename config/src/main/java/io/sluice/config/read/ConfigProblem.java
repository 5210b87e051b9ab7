package io.sluice.config.read;

import java.util.Comparator;

/**
 * One mistake in a configuration.
 *
 * @param source the file, or what else the value came from; may be empty
 * @param line in that file; 0 where there is none
 * @param message key, value and what was expected
 */
public record ConfigProblem(String source, int line, String message) implements Comparable<ConfigProblem> {
    private static final Comparator<ConfigProblem> ORDER = Comparator.comparing(ConfigProblem::source)
            .thenComparing(ConfigProblem::line).thenComparing(ConfigProblem::message);

    @Override
    public int compareTo(ConfigProblem other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return source.isEmpty() ? message : source + ':' + (line > 0 ? line + ": " : " ") + message;
    }
}
