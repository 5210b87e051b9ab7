package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.HoconFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequiredIncludesTest {
    private static final String MISSING = "include \"%s\": no such file, or not readable "
            + "(expected: a file; \"optional:%1$s\" where it may be missing)";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"no.conf\"", "file(\"no.conf\")", "classpath(\"no.conf\")",
        "required(\"no.conf\")", "required(file(\"no.conf\"))"})
    void missingIncludeIsReportedForEachSyntax(String what) {
        assertThat(file.problems("# include " + what + " has it\n // include \"no.conf\"\ninclude "
                + what))
                .containsExactly("main.conf:3: " + MISSING.formatted("no.conf"));
    }

    @Test
    void aNameThatIsReadInAnotherWayHasNoLine() {
        assertThat(file.problems("include file(\"no//such.conf\")\nsluice {}"))
                .containsExactly("main.conf: " + MISSING.formatted("no/such.conf"));
    }

    /** As in {@code --config my.conf}: the working directory is that of the test. */
    @Test
    void aFileThatIsNamedWithoutItsFolderIncludesThoseBesideIt() throws IOException {
        Path inner = Files.createTempFile(Path.of(""), "inner", ".conf");
        Path outer = Files.createTempFile(Path.of(""), "outer", ".conf");
        try {
            Files.writeString(inner, "sluice.server.port = 5");
            Files.writeString(outer, "include \"optional:" + inner + "\"");
            LoadedConfig loaded = new ConfigLoader(Map.of()).load(outer);
            assertThat(loaded.config().server().port()).isEqualTo(5);
            assertThat(loaded.effective().toString()).contains("# " + inner + ":1");
            Files.writeString(inner, "sluice.server.port = x");
            assertThatThrownBy(() -> new ConfigLoader(Map.of()).load(outer))
                    .hasMessageStartingWith(inner + ":1: sluice.server.port");
        } finally {
            Files.delete(inner);
            Files.delete(outer);
        }
    }

    @Test
    void unreachableUrlIsReported() {
        assertThat(file.problems("include url(\"http://127.0.0.1:1/x.conf\")"))
                .containsExactly("main.conf:1: include \"http://127.0.0.1:1/x.conf\": cannot be loaded "
                        + "(expected: the address of a HOCON file)");
    }

    @Test
    @Timeout(30)
    void aSilentAddressIsGivenUp() throws IOException {
        try (var silent = new ServerSocket(0)) { // accepts by its backlog
            assertThat(file.problems("include url(\"http://127.0.0.1:" + silent.getLocalPort() + "\")"))
                    .singleElement().asString().contains("cannot be loaded");
        }
    }

    @Test
    void missingIncludesAreReportedInTheirIncludingFile() {
        file.write("inner.conf", "sluice.server.port = 5\ninclude \"tokens\"");

        assertThat(file.problems("include \"inner.conf\"\ninclude \"other.conf\"\nsluice.server.backlog = x"))
                .containsExactly("inner.conf:2: " + MISSING.formatted("tokens"),
                        "main.conf:2: " + MISSING.formatted("other.conf"),
                        "main.conf:3: sluice.server.backlog: x (expected: 1..65535)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"optional:%s\"", "file(\"optional:%s\")", "classpath(\"optional:%s\")"})
    void optionalIncludeMayBeMissing(String what) {
        assertThat(file.load("include " + what.formatted("no.conf")).routes()).isEmpty();
    }

    @Test
    void optionalIncludeIsReadIfPresent() {
        Path written = file.write("own.conf", "sluice.server.port = 5");

        assertThat(file.load("include \"optional:own.conf\"").server().port()).isEqualTo(5);
        assertThat(file.load("include \"optional:own\"").server().port()).isEqualTo(5);
        assertThat(file.load("include file(\"optional:" + written + "\")").server().port()).isEqualTo(5);
    }

    @Test
    void includesOfAnOptionalFileAreRequired() {
        file.write("own.conf", "include \"no.conf\"");

        assertThat(file.problems("include \"optional:own.conf\""))
                .containsExactly("own.conf:1: " + MISSING.formatted("no.conf"));
    }

    @Test
    void tellsTheFilesThatAReloadMustWatch() {
        file.write("inner.conf", "include \"optional:later\"\ninclude classpath(\"sample.conf\")");
        Path absolute = file.write("absolute.conf", "");

        assertThat(file.loaded("include \"inner.conf\"\ninclude file(\"" + absolute + "\")").files())
                .containsOnlyKeys(directory.resolve("main.conf"), directory.resolve("inner.conf"),
                        directory.resolve("later.conf"), directory.resolve("later.json"),
                        directory.resolve("later.properties"), absolute);
    }
}
