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
            paging.key = [id, "-id"] | paging.key: id twice | each column once
            paging { key = [id], limit = 9, max-limit = 8 } | paging.limit: 9 | at most max-limit, 8
            paging { key = [id], count = estimated } | paging.count: estimated | exact for this database
            sort { allowed = [a], default = "a,-b" } | sort.default: b | columns of [a]
            sort { allowed = [a] }, single = true | sort: single = true | a result of several rows
            paging { key = [id] }, filter { limit = true } | filter.limit: true | a list [ … ] of at least one
            filter { a = [eq, between] } | filter.a: between | one of eq, ge, gt, in, le, like, lt, ne
            """)
    void invalidSelectionKeysAreReportedWithTheirLine(String line, String problem, String expected) {
        assertThat(file.problems(QUERY.formatted("SELECT 1", line, ""))).containsExactly(
                "main.conf:4: sluice.routes.x." + problem + " (expected: " + expected + ')');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            filter { limit = [eq] } | filter.limit
            paging.key = [id]       | paging
            """)
    void aNameOfTheQueryStringHasOneMeaning(String line, String key) {
        assertThat(file.problems(QUERY.formatted("SELECT :limit", line, "parameters.limit.type = long")))
                .containsExactly("main.conf:4: sluice.routes.x." + key + ": :limit in sql "
                        + "(expected: another name for that parameter, as ?limit= selects rows)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            limit = [eq, ge] | paging.key = [id]
            cursor = [eq]    | paging.key = [id]
            sort = [eq]      | sort.allowed = [a]
            """)
    void aFilterByItsBareNameIsNoOtherSelection(String filter, String other) {
        String column = filter.substring(0, filter.indexOf(' '));
        assertThat(file.problems(QUERY.formatted("SELECT 1", "filter { size = [eq], " + filter + " }",
                other))).containsExactly("main.conf:4: sluice.routes.x.filter." + column + ": eq "
                        + "(expected: another name for that column, as ?" + column + "= selects rows)");
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
