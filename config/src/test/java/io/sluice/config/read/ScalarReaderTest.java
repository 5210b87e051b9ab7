package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Secret;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarReaderTest {
    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0s, 0", "250ms, 250", "0.5s, 500", "2 minutes, 120000", "1h, 3600000"})
    void durationsTakeAUnitOrAreZero(String written, long millis) {
        assertThat(file.load("sluice.lifecycle.idle-grace = " + written).lifecycle().idleGrace())
                .isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "'5 '", "'5.'", "5.5", "-5s", "-1ns", "-0.1ms", "61m", "3600000.5ms", "s",
        "''", "99999999999999999999s", "9223372036854775807d", "1e400s", "NaN s", "1d s", "5 fortnights",
        "null", "true", "{}", "[5]"})
    void otherDurationsAreRefused(String written) {
        refuses("lifecycle.idle-grace", written,
                "a duration with its unit, such as 250ms, 5s or 2m; 0s..1h");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", "512, 512", "8KiB, 8192", "8 KiB, 8192", "8k, 8192", "8kB, 8000", "1MiB, 1048576",
        "0.5KiB, 512", "1GiB, 1073741824"
    })
    void sizesTakeAUnitOrNone(String written, long bytes) {
        assertThat(file.load("sluice.server.send-buffer = " + written).server().sendBuffer())
                .isEqualTo(new ByteSize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-1KiB", "2GiB", "99999999999999999999", "9223372036854775807GiB", "''",
        "8 parsecs", "'1e9999999KiB'", "1.5", "'0.5'", "1.5.5KiB", "null", "true", "{}", "[1]"})
    void otherSizesAreRefused(String written) {
        refuses("server.send-buffer", written, "a size, such as 512, 8KiB or 1MiB; 0B..1GiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "4294967376", "99999999999999999999", "80.5", "''", "http", "null",
        "true", "{}", "[80]"})
    void otherNumbersAreRefused(String written) {
        refuses("server.port", written, "0..65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "maybe", "''", "null", "{}", "[true]"})
    void otherSwitchesAreRefused(String written) {
        refuses("server.tcp-no-delay", written, "true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "xml", "''", "null", "{}", "[]"})
    void otherWordsAreRefused(String written) {
        refuses("log.format", written, "one of auto, json, text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]"})
    void anyScalarIsAText(String written) {
        refuses("server.host", written, "a text");
        assertThat(file.load("sluice.server.host = 127").server().host()).isEqualTo("127");
        assertThat(file.load("sluice.server.server-header = \"\"").server().serverHeader()).isEmpty();
    }

    /** HOCON takes them for numbers: 1234, 1.1, 100000.0. */
    @ParameterizedTest
    @ValueSource(strings = {"01234", "1.10", "1e5", "-0", "true", "99999999999999999999"})
    void textsAreReadAsTheyAreWritten(String written) {
        GatewayConfig config = file.load("""
                include classpath("sample.conf")
                sluice.routes.query.parameters.color { type = enum, values = [%1$s], default = %1$s }
                sluice.databases.shop { url = "jdbc:postgresql:shop", password = %1$s
                  session.search-path = [%1$s] }
                """.formatted(written));

        var color = ((HandlerConfig.Query) config.routes().get("query").handler()).parameters().get("color");
        assertThat(color.values().orElseThrow()).containsExactly(written);
        assertThat(color.defaultText()).hasValue(written);
        assertThat(config.databases().get("shop").password()).isEqualTo(new Secret(written));
        assertThat(config.databases().get("shop").session().searchPath().orElseThrow())
                .containsExactly(written);
        assertThat(file.problems("sluice.log.format = " + written)).singleElement().asString()
                .startsWith("main.conf:1: sluice.log.format: " + written + " (");
    }

    @ParameterizedTest
    @CsvSource({"0, 0B", "1000, 1000B", "1024, 1KiB", "1536, 1536B", "1048576, 1MiB", "3221225472, 3GiB"})
    void sizesAreShownInTheLargestUnitThatIsExact(long bytes, String shown) {
        assertThat(new ByteSize(bytes)).hasToString(shown);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a                  | a
            `"  a\\n\\r\\n b "`  | a   b
            " "                | ""
            { a: 1, b: [x] }   | {"a":1,"b":["x"]}
            """)
    void valuesAreShownInOneLine(String written, String shown) {
        assertThat(file.problems("sluice.server.port = " + written))
                .containsExactly("main.conf:1: sluice.server.port: " + shown + " (expected: 0..65535)");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 81, 100_000})
    void longValuesAreShownInPart(int length) {
        assertThat(file.problems("sluice.server.port = " + "9".repeat(length))).singleElement().asString()
                .contains(": " + "9".repeat(79) + (length == 80 ? "9 (" : "… ("));
    }

    private void refuses(String key, String written, String expected) {
        String shown = written.replace("'", "").strip();
        assertThat(file.problems("sluice." + key + " = " + written.replace('\'', '"')))
                .containsExactly("main.conf:1: sluice.%s: %s (expected: %s)".formatted(key,
                        shown.isEmpty() ? "\"\"" : shown, expected));
    }
}
