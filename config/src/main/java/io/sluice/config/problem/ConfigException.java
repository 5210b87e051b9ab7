package io.sluice.config.problem;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Reports all mistakes of an invalid configuration. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    ConfigException(Collection<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Returns the mistakes, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
