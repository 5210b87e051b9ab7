package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkChecksTest {
    private static final String QUERY = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = "jdbc:h2:mem:x", pool = p }
            sluice.routes.x { path = /x, handler = query, database = d, methods = [POST]
              %s
              sql = "%s", parameters.a { type = long, from = %s } }
            """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bulk = {} | SELECT :a | body | bulk: an INSERT, UPDATE, DELETE or MERGE
            bulk = {} | DELETE FROM t (:a) | query-string | bulk: a parameter with from = body
            bulk = {}, single = true | INSERT INTO t (:a) | body | single: none beside bulk
            bulk = {}, etag = hash, single = true | INSERT INTO t (:a) | body | etag: none beside bulk
            bulk.batch = 0 | INSERT INTO t (:a) | body | bulk.batch: 1..10000
            """)
    void invalidBulkKeysAreReportedWithTheirLine(String line, String sql, String from, String problem) {
        String[] expected = problem.split(": ");

        assertThat(new HoconFile(directory).problems(QUERY.formatted(line, sql, from)))
                .anyMatch(told -> told.startsWith("main.conf:4: sluice.routes.x." + expected[0] + ": ")
                        && told.contains("(expected: " + expected[1]));
    }
}
