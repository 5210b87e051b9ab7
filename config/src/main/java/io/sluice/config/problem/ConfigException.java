package io.sluice.config.problem;

import io.sluice.config.type.FileState;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports all mistakes of an invalid configuration. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;
    private final transient Map<Path, FileState> files;

    ConfigException(Collection<ConfigProblem> problems, Map<Path, FileState> files) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
        this.files = files;
    }

    /** Returns the mistakes, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    /** Returns the files that were read, or are missing, with their states before. */
    public Map<Path, FileState> files() {
        return files;
    }
}
