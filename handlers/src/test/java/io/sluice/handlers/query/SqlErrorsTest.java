package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ParameterConfig;
import io.sluice.config.SqlErrorConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.HttpException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlErrorsTest {
    private final SqlErrors errors = errors(Map.of());

    private static SqlErrors errors(Map<String, SqlErrorConfig> configured) {
        return errors(Map.of(), configured);
    }

    private static SqlErrors errors(Map<String, ParameterConfig> parameters,
                                    Map<String, SqlErrorConfig> configured) {
        return errors("SELECT 1", parameters, configured);
    }

    private static SqlErrors errors(String sql, Map<String, ParameterConfig> parameters,
                                    Map<String, SqlErrorConfig> configured) {
        var query = QueryConfigs.of(sql, parameters, configured);
        return new SqlErrors(query, new QueryParameters(query, PathTemplate.parse("/")), false);
    }

    @ParameterizedTest
    @CsvSource({
        "22001, 422, a value does not fit", "22P02, 422, a value does not fit",
        "23505, 409, conflicts with what is stored", "23514, 409, conflicts with what is stored",
        "40001, 503, collided with another request; try again",
        "40P01, 503, collided with another request; try again",
        "55P03, 503, collided with another request; try again",
        "HYT00, 503, collided with another request; try again",
        "90131, 503, collided with another request; try again",
        "08006, 503, the database is not available", "53300, 503, the database is not available",
        "57P01, 503, the database is not available", "25006, 503, the database is not available",
        "44000, 409, conflicts with what is stored", "54000, 422, a value does not fit",
        "45000, 422, refused by a rule of the database", "PT401, 401, refused by a rule of the database",
        "P0001, 422, refused by a rule of the database", "P0002, 404, no such row",
        "57014, 504, the query took too long", "25P03, 504, the query took too long",
        "PT402, 402, refused by a rule of the database", "PT503, 503, refused by a rule of the database",
    })
    void theStateSaysWhatTheClientIsTold(String state, int status, String detail) {
        var error = new SQLException("secret", state);

        assertThat(errors.forClient(error, false)).isInstanceOfSatisfying(HttpException.class, told -> {
            assertThat(told.status().code()).isEqualTo(status);
            assertThat(told.worthRetrying()).isEqualTo(status == 503);
            assertThat(told).hasMessage(detail).hasCause(error);
        });
    }

    /** The commit may be done. A client that repeats the request would change data twice. */
    @ParameterizedTest
    @CsvSource({"08006, false", "57P02, false", "57P01, false", "40003, false", "53300, true", "40001, true"})
    void aLostConnectionIsNoReasonToRepeatAChange(String state, boolean worthRetrying) {
        SqlErrors ofChange = errors("INSERT INTO a VALUES (1)", Map.of(), Map.of());

        assertThat(ofChange.forClient(new SQLException("secret", state), false))
                .isInstanceOfSatisfying(HttpException.class, told -> {
                    assertThat(told.status().code()).isEqualTo(503);
                    assertThat(told.worthRetrying()).isEqualTo(worthRetrying);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"42601", "42P01", "42501", "53400", "25001", "P0003", "P0004", "21000", "PT200",
        "PT4", "XX000", "2", "", "HY000"})
    void anyOtherStateIsTheGatewaysFault(String state) {
        var error = new SQLException("secret", state);

        assertThat(errors.forClient(error, false)).isSameAs(error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT405", "PT407", "PT426"})
    void aStatusThatNeedsFurtherHeaderFieldsIsTheMistakeOfTheFunction(String state) {
        var error = new SQLException("secret", state);

        assertThat(errors.forClient(error, false)).isInstanceOf(SQLException.class).hasCause(error)
                .hasMessage(state + " (expected: a status that needs no further header fields, unlike 405, "
                        + "407 and 426)");
    }

    /** MariaDB tells some errors by their numbers alone. */
    @ParameterizedTest
    @CsvSource({"HY000, 1205, 503", "HY000, 1020, 503", "01000, 1265, 422", "70100, 1317, 504",
        "70100, 1969, 504", "70100, 1927, 503", "HY000, 1271, 422", "HY000, 1411, 422",
        "42000, 1139, 422", "HY000, 1526, 409"})
    void aNumberOfMariadbSaysMoreThanAGeneralState(String state, int number, int status) {
        var error = new SQLException("secret", state, number);
        SqlErrors configured = errors(Map.of(state, new SqlErrorConfig(418, Optional.empty())));

        assertThat(errors.forClient(error, false)).isInstanceOfSatisfying(HttpException.class,
                told -> assertThat(told.status().code()).isEqualTo(status));
        assertThat(configured.forClient(error, false)).isInstanceOfSatisfying(HttpException.class,
                told -> assertThat(told.status().code()).isEqualTo(418));
        var other = new SQLException("secret", "42S02", number);
        assertThat(errors.forClient(other, false)).isSameAs(other);
    }

    /** MariaDB's characters that a column lacks; two columns would be a mistake of the statement. */
    @ParameterizedTest
    @ValueSource(ints = {1267, 1270})
    void aTextOfOtherCharactersThanTheColumnsIsAMistakeOfTheRequest(int number) {
        var ofValue = new SQLException("Illegal mix of collations (latin1_swedish_ci,IMPLICIT) and "
                + "(utf8mb4_general_ci,COERCIBLE) for operation '='", "HY000", number);
        var ofColumns = new SQLException("Illegal mix of collations (latin1_swedish_ci,IMPLICIT) and "
                + "(utf8mb4_general_ci,IMPLICIT) for operation '='", "HY000", number);

        assertThat(errors.forClient(ofValue, false)).isInstanceOfSatisfying(HttpException.class,
                told -> assertThat(told.status().code()).isEqualTo(422));
        assertThat(errors.forClient(ofColumns, false)).isSameAs(ofColumns);
    }

    /** Such a state may be one of the statement's own values, too. */
    @ParameterizedTest
    @ValueSource(strings = {"90003", "90004", "90008", "90010", "90014", "90056", "90095", "90142"})
    void aValueThatH2RefusesIsAMistakeOfARequestThatHasValues(String state) {
        var error = new SQLException("secret", state);
        ParameterConfig parameter = QueryParametersTest.parameter(ScalarType.INT, false);
        SqlErrors taking = errors(Map.of("n", parameter), Map.of());

        assertThat(errors.forClient(error, false)).isSameAs(error);
        assertThat(taking.forClient(error, false)).isInstanceOfSatisfying(HttpException.class,
                told -> assertThat(told.status().code()).isEqualTo(422));
    }

    /** Its driver writes values into the text of a statement. */
    @ParameterizedTest
    @ValueSource(strings = {"You have an error in your SQL syntax; check the manual that corresponds to your "
            + "MariaDB server version for the right syntax to use near '-5' at line 1",
        "syntax error, unexpected $end"})
    void aSyntaxErrorOfMariadbInAValueIsAMistakeOfARequestThatHasValues(String message) {
        var error = new SQLException(message, "42000", 1064);
        ParameterConfig parameter = QueryParametersTest.parameter(ScalarType.INT, false);

        assertThat(errors.forClient(error, false)).isSameAs(error);
        assertThat(errors(Map.of("n", parameter), Map.of()).forClient(error, false))
                .isInstanceOfSatisfying(HttpException.class,
                        told -> assertThat(told.status().code()).isEqualTo(422));
    }

    @Test
    void exceptionsWithoutASqlStateAreUnchanged() {
        var error = new IllegalStateException();
        var stateless = new SQLException("secret");

        assertThat(errors.forClient(error, false)).isSameAs(error);
        assertThat(errors.forClient(stateless, false)).isSameAs(stateless);
    }

    @ParameterizedTest
    @CsvSource({
        "23505, 422, taken", "23503, 410, conflicts with what is stored", "42501, 403, Forbidden",
        "PT404, 418, refused by a rule of the database", "22001, 422, a value does not fit",
    })
    void theConfigurationGoesFirstAndTheWholeStateBeforeItsClass(String state, int status, String detail) {
        SqlErrors configured = errors(Map.of(
                "23505", new SqlErrorConfig(422, Optional.of("taken")),
                "23", new SqlErrorConfig(410, Optional.empty()),
                "42", new SqlErrorConfig(403, Optional.empty()),
                "PT404", new SqlErrorConfig(418, Optional.empty())));

        assertThat(configured.forClient(new SQLException("secret", state), false))
                .isInstanceOfSatisfying(HttpException.class, told -> {
                    assertThat(told.status().code()).isEqualTo(status);
                    assertThat(told).hasMessage(detail);
                });
    }
}
