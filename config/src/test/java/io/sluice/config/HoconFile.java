package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.problem.ConfigException;
import io.sluice.config.read.ConfigLoader;
import io.sluice.config.read.LoadedConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A user's file, main.conf in the directory of a test, and what comes of loading it. */
public record HoconFile(Path directory) {

    /** Writes and loads it; overrides are as on the command line, without the -D. */
    public GatewayConfig load(String hocon, String... overrides) {
        return loaded(hocon, overrides).config();
    }

    /** The same, with the origins of values. */
    public LoadedConfig loaded(String hocon, String... overrides) {
        Map<String, String> commandLine = Stream.of(overrides).map(override -> override.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return new ConfigLoader(commandLine).load(write("main.conf", hocon));
    }

    /** What a user reads who loads it, the directory left out. */
    public List<String> problems(String hocon, String... overrides) {
        var refused = catchThrowableOfType(ConfigException.class, () -> load(hocon, overrides));
        assertThat(refused).as("what is wrong with " + hocon).isNotNull();
        return refused.problems().stream()
                .map(problem -> problem.toString().replace(directory.toString() + '/', "")).toList();
    }

    /** The same, with sample.conf and a line after it. */
    public List<String> problemsOfSampleWith(String line) {
        return problems("include classpath(\"sample.conf\")\nsluice." + line);
    }

    public Path write(String name, String hocon) {
        try {
            return Files.writeString(directory.resolve(name), hocon);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
