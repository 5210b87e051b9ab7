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

/** The file {@code main.conf} in a test's directory, as a user writes it. */
public record HoconFile(Path directory) {

    /** Writes the text to the file and loads it. Overrides are as on the command line, without the -D. */
    public GatewayConfig load(String hocon, String... overrides) {
        return loaded(hocon, overrides).config();
    }

    /** Does the same as {@link #load}, and returns the origins of the values, too. */
    public LoadedConfig loaded(String hocon, String... overrides) {
        Map<String, String> commandLine = Stream.of(overrides).map(override -> override.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return new ConfigLoader(commandLine).load(write("main.conf", hocon));
    }

    /** Returns the problems that loading the text reports, without the directory in the file's path. */
    public List<String> problems(String hocon, String... overrides) {
        var refused = catchThrowableOfType(ConfigException.class, () -> load(hocon, overrides));
        assertThat(refused).as("what is wrong with " + hocon).isNotNull();
        return refused.problems().stream()
                .map(problem -> problem.toString().replace(directory.toString() + '/', "")).toList();
    }

    /** Returns the problems that sample.conf with one more line reports. */
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
