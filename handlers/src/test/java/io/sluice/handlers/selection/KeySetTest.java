package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.selection.SortKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void isAConditionForTheRowsBehind(boolean postgres, String order, String sql, String bound) {
        var keySet = new KeySet(Stream.of(order.split(",")).map(SortKey::parse).toList(),
                new Dialect("\"", postgres));

        assertThat(keySet.sql()).isEqualTo(sql);
        assertThat(String.join(",", keySet.bound(List.of("1", "2", "3").subList(0, order.split(",").length))))
                .isEqualTo(bound);
    }
}
