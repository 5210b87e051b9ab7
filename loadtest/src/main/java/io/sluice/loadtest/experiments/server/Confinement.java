package io.sluice.loadtest.experiments.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits and JVM options of a server's process.
 *
 * @param jvmOptions such as {@code -Xmx256m}
 * @param openFiles the limit of {@code ulimit -n}; 0 for that of this process
 * @param log the file for its output; empty for a pipe to this process
 */
public record Confinement(List<String> jvmOptions, int openFiles, Optional<Path> log) {

    /** No limits except those of this process. */
    public static final Confinement NONE = new Confinement(List.of(), 0, Optional.empty());

    /** Returns these limits with an AOT cache. */
    public Confinement with(AotCache cache) {
        var options = new ArrayList<>(jvmOptions);
        options.addAll(cache.options());
        return new Confinement(options, openFiles, log);
    }

    /** Returns these limits with a file for the output. */
    public Confinement loggingTo(Path file) {
        return new Confinement(jvmOptions, openFiles, Optional.of(file));
    }

    /** Wraps a command, which begins with the JVM's program, so that it runs within these limits. */
    List<String> around(List<String> java) {
        var command = new ArrayList<String>();
        if (openFiles > 0) {
            // The shell's exec keeps the limit, soft and hard, and the process id.
            command.addAll(List.of(
                    "/bin/sh", "-c", "ulimit -n %d && exec \"$0\" \"$@\"".formatted(openFiles)));
        }
        command.add(java.getFirst());
        command.addAll(jvmOptions);
        command.addAll(java.subList(1, java.size()));
        return command;
    }
}
