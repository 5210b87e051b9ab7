package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultChecksTest {
    private static final String QUERY = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = x, pool = p }
            sluice.routes.x { path = /x, handler = query, database = d, sql = "SELECT 1"
              %s }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            content-type = text/plain | content-type: text/plain | single = true beside it
            etag = hash               | etag: hash               | single = true beside it
            etag = version | etag: version | column and its name, such as column version, or hash
            """)
    void invalidResultKeysAreReportedWithTheirLine(String line, String problem, String expected) {
        assertThat(file.problems(QUERY.formatted(line))).containsExactly(
                "main.conf:4: sluice.routes.x." + problem + " (expected: " + expected + ')');
    }
}
