package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.HttpException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlErrorsTest {

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
        "44000, 409, conflicts with what is stored",
        "P0001, 422, refused by a rule of the database", "P0002, 404, no such row",
        "57014, 504, the query took too long",
    })
    void theStateSaysWhatTheClientIsTold(String state, int status, String detail) {
        var error = new SQLException("secret", state);

        assertThat(SqlErrors.forClient(error)).isInstanceOfSatisfying(HttpException.class, told -> {
            assertThat(told.status().code()).isEqualTo(status);
            assertThat(told.worthRetrying()).isEqualTo(status == 503);
            assertThat(told).hasMessage(detail).hasCause(error);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"42601", "42P01", "42501", "25001", "P0003", "P0004", "XX000", "2", "", "HY000"})
    void anyOtherStateIsTheGatewaysFault(String state) {
        var error = new SQLException("secret", state);

        assertThat(SqlErrors.forClient(error)).isSameAs(error);
    }

    @Test
    void whatIsNoSqlErrorStaysWhatItIs() {
        var error = new IllegalStateException();
        var stateless = new SQLException("secret");

        assertThat(SqlErrors.forClient(error)).isSameAs(error);
        assertThat(SqlErrors.forClient(stateless)).isSameAs(stateless);
    }
}
