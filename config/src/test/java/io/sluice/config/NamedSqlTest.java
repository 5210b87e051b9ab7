package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedSqlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT :id                          | SELECT ?                            | id
            :a                                  | ?                                   | a
            a=:a AND(b=:b OR c=:a)              | a=? AND(b=? OR c=?)                 | a b a
            :max_age1,:_x,:größe                | ?,?,?                               | max_age1 _x größe
            :id::bigint                         | ?::bigint                           | id
            '2026'::date + :days                | '2026'::date + ?                    | days
            'it''s :no' = :yes                  | 'it''s :no' = ?                     | yes
            "a "":no" = :yes                    | "a "":no" = ?                       | yes
            /* :no ' */ :yes                    | /* :no ' */ ?                       | yes
            $$ :no ' $$ = :yes                  | $$ :no ' $$ = ?                     | yes
            $t1$ :no $$ $t1$ = :yes             | $t1$ :no $$ $t1$ = ?                | yes
            a$b$ = :yes                         | a$b$ = ?                            | yes
            $1 = :yes                           | $1 = ?                              | yes
            tags ?? :tag                        | tags ?? ?                           | tag
            a - :b / :c                         | a - ? / ?                           | b c
            '-- :no' = :yes                     | '-- :no' = ?                        | yes
            """)
    void bindsNamesAndOnlyThose(String sql, String jdbc, String names) {
        assertThat(NamedSql.parse(sql)).isEqualTo(new NamedSql(jdbc, List.of(names.split(" "))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1", "a[1:2]", "a[1 : 2]", "x := 1", "a::int", "SELECT 1 :", "a::", "$",
        "-", "SELECT '?' -- why?", "SELECT 1 /* ? */", "-- :no", "SELECT 'ü😀:no'"})
    void leavesSqlWithoutNamesAlone(String sql) {
        assertThat(NamedSql.parse(sql)).isEqualTo(new NamedSql(sql, List.of()));
    }

    @Test
    void lineCommentsEndWithTheirLine() {
        assertThat(NamedSql.parse("SELECT -- :no 'til here\n :yes").jdbc())
                .isEqualTo("SELECT -- :no 'til here\n ?");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 'open              | a closing '
            SELECT 'open''            | a closing '
            SELECT "open              | a closing "
            SELECT /* open            | a closing */
            SELECT /*/                | a closing */
            SELECT $$ open            | a closing $$
            SELECT $a$ open $b$       | a closing $a$
            WHERE id = ?              | :name for a parameter, or ?? for an operator, in place of ?
            WHERE a ??? b             | :name for a parameter, or ?? for an operator, in place of ?
            ``                        | an SQL statement
            ` \t `                    | an SQL statement
            """)
    void saysWhatItExpectsInstead(String sql, String expected) {
        assertThatIllegalArgumentException().isThrownBy(() -> NamedSql.parse(sql)).withMessage(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 1                       | true
            `  \n select\t:a`            | true
            select(1)                      | true
            SELECT                         | false
            selection                      | false
            INSERT INTO a SELECT 1         | false
            WITH a AS (SELECT 1) SELECT 1  | false
            """)
    void knowsASelectByItsFirstWord(String sql, boolean select) {
        assertThat(NamedSql.parse(sql).isSelect()).isEqualTo(select);
    }
}
