package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionChecksTest {
    private static final String QUERY = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = "jdbc:h2:mem:x", pool = p }
            sluice.routes.x { path = /x, handler = query, database = d, sql = "%s"
              %s
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
            SELECT 1 | paging.key = [id, "-id"] | paging.key: id twice (expected: each column once)
            SELECT 1 | paging { key = [id], limit = 9, max-limit = 8 } | paging.limit: 9 (expected: at most max-limit, 8)
            SELECT 1 | paging { key = [id], count = estimated } | paging.count: estimated (expected: exact, as only PostgreSQL estimates)
            SELECT 1 | sort { allowed = [a], default = "a,-b" } | sort.default: b (expected: columns of [a])
            SELECT 1 | sort { allowed = [a] }, single = true | sort: single = true (expected: a result of several rows)
            SELECT :limit | filter { limit = [eq] } | filter.limit: :limit in sql (expected: another name for that parameter, as ?limit= selects rows)
            SELECT :limit | paging.key = [id] | paging: :limit in sql (expected: another name for that parameter, as ?limit= selects rows)
            SELECT 1 | filter { a = [eq, between] } | filter.a: between (expected: one of eq, ge, gt, in, le, like, lt, ne)
            """)
    void whatCannotBeSelectedIsToldWhereItStands(String sql, String line, String problem) {
        String config = QUERY.formatted(sql, line, sql.contains(":") ? "parameters.limit.type = long" : "");

        assertThat(file.problems(config)).containsExactly("main.conf:4: sluice.routes.x." + problem);
    }

    @Test
    void aChangeHasNoPages() {
        assertThat(file.problems("""
                sluice.offload.pools.p {}
                sluice.databases.d { url = "jdbc:h2:mem:x", pool = p }
                sluice.routes.x { path = /x, handler = query, database = d, methods = [POST]
                  sql = "DELETE FROM a"
                  paging.key = [id] }
                """)).containsExactly("main.conf:5: sluice.routes.x.paging: DELETE "
                + "(expected: a statement that only reads)");
    }
}
