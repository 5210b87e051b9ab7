package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
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
            E'it\\'s :no' = :yes                | E'it\\'s :no' = ?                   | yes
            e'\\\\' + :yes + 'it''s :no'        | e'\\\\' + ? + 'it''s :no'           | yes
            E'a''b\\':no' + :yes                | E'a''b\\':no' + ?                   | yes
            mode'\\' + :yes                     | mode'\\' + ?                        | yes
            U&'\\' + :yes + U&":no"             | U&'\\' + ? + U&":no"                | yes
            /* /* :no */ :no */ :yes            | /* /* :no */ :no */ ?               | yes
            a$$b = :yes AND c$$ = 1             | a$$b = ? AND c$$ = 1                | yes
            $1$ :yes $1$                        | $1$ ? $1$                           | yes
            a->:key::text @?? :path ??& :any    | a->?::text @?? ? ??& ?              | key path any
            a->:key??:name OR :tags??&:other    | a->? ?? ? OR ? ??&?                 | key name tags other
            a[:from:2] + b[1: n] + f(x := :y)   | a[?:2] + b[1: n] + f(x := ?)        | from y
            :order.id + :a.b.c + :a. + :a.1     | ? + ?.c + ?. + ?.1                  | order.id a.b a a
            """)
    void bindsNamesAndOnlyThose(String sql, String jdbc, String names) {
        assertThat(NamedSql.parse(sql)).isEqualTo(new NamedSql(jdbc, List.of(names.split(" "))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1", "a[1:2]", "a[1 : 2]", "x := 1", "a::int", "SELECT 1 :", "a::", "$",
        "-", "SELECT '?' -- why?", "SELECT 1 /* ? */", "-- :no\n1", "SELECT 'ü😀:no'",
        "SELECT 1;", "SELECT ';'; -- :no", "SELECT 1 ; ;"})
    void leavesSqlWithoutNamesAlone(String sql) {
        assertThat(NamedSql.parse(sql)).isEqualTo(new NamedSql(sql, List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a IN (:ids)                         | a = ANY (?)
            a in ( /* all */ :ids )             | a = ANY ( /* all */ ? )
            a NOT IN (:ids) AND b = :one        | a  <> ALL (?) AND b = ?
            :one IN (:ids) OR NOT a IN (:ids)   | ? = ANY (?) OR NOT a = ANY (?)
            a IN (:one) AND b = ANY(:ids)       | a IN (?) AND b = ANY(?)
            a IN (:ids, :one) AND f(:ids)       | a IN (?, ?) AND f(?)
            tags ?? :one AND "IN" (:ids)        | tags ?? ? AND "IN" (?)
            """)
    void anArrayStandsForAList(String sql, String jdbc) {
        assertThat(NamedSql.parse(sql).jdbc(Set.of("ids"))).isEqualTo(jdbc);
        assertThat(NamedSql.parse(sql).jdbc(Set.of())).isEqualTo(NamedSql.parse(sql).jdbc());
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
            SELECT /* /* open */      | a closing */
            SELECT E'open\\'          | a closing '
            SELECT $$ open            | a closing $$
            SELECT $a$ open $b$       | a closing $a$
            SELECT 1 /*! INTO a */    | no /*!, whose text MariaDB executes
            SELECT 1 /*M!50000 a */   | no /*!, whose text MariaDB executes
            WHERE id = ?              | :name for a parameter, or ?? for an operator, in place of ?
            WHERE a ??? b             | :name for a parameter, or ?? for an operator, in place of ?
            ``                        | an SQL statement
            ` \t `                    | an SQL statement
            -- comment                | an SQL statement
            ;                         | an SQL statement
            SELECT 1; SELECT 2        | one statement, with no other behind its ;
            /* ; */ DO $$;$$; ; x     | one statement, with no other behind its ;
            """)
    void invalidSqlIsReportedWithTheExpectation(String sql, String expected) {
        assertThatIllegalArgumentException().isThrownBy(() -> NamedSql.parse(sql)).withMessage(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 1                       | true
            `  \n select\t:a`            | true
            select(1)                      | true
            /* of :no use */ SELECT 1      | true
            selection                      | false
            INSERT INTO a SELECT 1         | false
            WITH a AS (SELECT 1) SELECT 1  | false
            """)
    void knowsASelectByItsFirstWord(String sql, boolean select) {
        assertThat(NamedSql.parse(sql).isSelect()).isEqualTo(select);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            insert INTO a VALUES (1)                             | INSERT
            /* SELECT */ UPDATE a SET b = 1                      | UPDATE
            CALL close_month(:month)                             | CALL
            TRUNCATE a                                           | TRUNCATE
            SELEKT 1                                             | SELEKT
            SELECT * INTO b FROM a                               | SELECT INTO
            WITH b AS (SELECT 1) DELETE FROM a                   | DELETE
            WITH b AS (update a SET c = 1 RETURNING *) TABLE b   | UPDATE
            WITH b AS (SELECT 1) MERGE INTO a USING b ON TRUE    | MERGE
            WITH RECURSIVE b AS (SELECT 1) CYCLE a SET c USING p DELETE FROM a           | DELETE
            WITH RECURSIVE b AS (TABLE d) CYCLE a SET c TO 1 DEFAULT 0 USING p update a SET c = 1 | UPDATE
            WITH RECURSIVE b AS (TABLE d) search DEPTH FIRST BY a, c set "o o" INSERT INTO a TABLE b | INSERT
            SELECT * FROM FINAL TABLE (INSERT INTO a VALUES (1)) | INSERT
            (SELECT * FROM OLD TABLE (/**/ DELETE FROM "a"))     | DELETE
            """)
    void changingStatementsAreDetected(String sql, String change) {
        assertThat(NamedSql.parse(sql).change()).hasValue(change);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "SELECT 1", "((select 1) UNION (TABLE a))", "VALUES (1)", "SHOW timezone",
        "WITH a AS (SELECT 1) SELECT * FROM a FOR UPDATE", "SELECT 1 FROM a FOR NO KEY UPDATE OF a",
        "SELECT 'INSERT INTO', \"into\", delete, a.update, (merge), f(insert, 1), replace(b, 1) FROM a",
        "WITH RECURSIVE a AS (TABLE c) SEARCH DEPTH FIRST BY b SET update CYCLE b SET merge USING p TABLE a",
        "SELECT INSERT(INSERT('a', 1, 1, 'b'), 1, 1, 'c') /* INTO */ -- INTO",
    })
    void readingStatementsAreNoChange(String sql) {
        assertThat(NamedSql.parse(sql).change()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            delete FROM a                                                       | true
            WITH b AS (SELECT 1), c(d) AS (TABLE e) UPDATE a SET x = (SELECT 1) | true
            WITH b AS (WITH c AS (SELECT 1) DELETE FROM a) SELECT 1             | false
            WITH RECURSIVE b AS (TABLE d) CYCLE a SET c USING p DELETE FROM a   | true
            SELECT * FROM FINAL TABLE (INSERT INTO a VALUES (1))                | false
            CALL close_month(1)                                                 | false
            """)
    void aStatementThatChangesRowsIsNoOtherAroundOne(String sql, boolean changes) {
        assertThat(NamedSql.parse(sql).changesRows()).isEqualTo(changes);
    }
}
