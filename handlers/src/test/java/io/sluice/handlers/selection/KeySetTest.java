package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.selection.SortKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The condition for the rows behind a row. */
class KeySetTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        true  | a,b    | ("a", "b") > (?, ?)                                          | 1,2
        true  | -a,-b  | ("a", "b") < (?, ?)                                          | 1,2
        true  | a,-b   | "a" >= ? AND ("a" > ? OR ("a" = ? AND "b" < ?))              | 1,1,1,2
        false | a      | "a" >= ? AND "a" > ?                                         | 1,1
        false|b,-c,d|"b" >= ? AND ("b" > ? OR ("b" = ? AND ("c" < ? OR ("c" = ? AND "d" > ?))))|1,1,1,2,2,3
        true  | x"y    | ("x""y") > (?)                                               | 1
        """)
    void comparesColumnsThatAreNeverNull(boolean postgres, String order, String sql, String bound) {
        List<SortKey> keys = keys(order);

        KeySet keySet = new KeySet(keys, Set.of("a", "b", "c", "d", "x\"y"),
                List.of("1", "2", "3").subList(0, keys.size()), new Dialect("\"", postgres));

        assertThat(keySet.sql()).isEqualTo(sql);
        assertThat(keySet.bound()).map(String::valueOf).containsExactly(bound.split(","));
    }

    /** PostgreSQL has NULL behind the largest value, others before the smallest. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
        true  | n,b    | 1 | ("n" > ? OR "n" IS NULL OR ("n" = ? AND "b" > ?))        | 1,1,2
        true  | -n,-b  | 1 | ("n", "b") < (?, ?)                                      | 1,2
        false | n,b    | 1 | "n" >= ? AND ("n" > ? OR ("n" = ? AND "b" > ?))          | 1,1,1,2
        false | -n,b   | 1 | ("n" < ? OR "n" IS NULL OR ("n" = ? AND "b" > ?))        | 1,1,2
        true  | n,b    | - | ("n" IS NULL AND "b" > ?)                                | 2
        true  | -n,b   | - | ("n" IS NOT NULL OR "b" > ?)                             | 2
        """)
    void findsRowsWithNull(boolean postgres, String order, @Nullable String n, String sql, String bound) {
        var row = Stream.of(n, "2").toList();

        var keySet = new KeySet(keys(order), Set.of("b"), row, new Dialect("\"", postgres));

        assertThat(keySet.sql()).isEqualTo(sql);
        assertThat(keySet.bound()).map(String::valueOf).containsExactly(bound.split(","));
    }

    private static List<SortKey> keys(String order) {
        return Stream.of(order.split(",")).map(SortKey::parse).toList();
    }
}
