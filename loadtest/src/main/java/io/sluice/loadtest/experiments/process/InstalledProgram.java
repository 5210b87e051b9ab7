package io.sluice.loadtest.experiments.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the machine's distribution. */
public final class InstalledProgram {

    private InstalledProgram() {}

    /** Finds a program on the PATH or where Debian installs servers; empty if it is not installed. */
    public static Optional<Path> find(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of((path + ":/usr/sbin:/usr/local/sbin").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
