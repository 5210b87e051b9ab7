package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonGenerator;

class RowWriterTest {
    @Test
    void theLogSaysWhichColumnsHaveOneNameAndWhatHelps() {
        ResultSetMetaData columns = columns(2, "int8", Types.BIGINT);

        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> RowWriter.of(columns)).withMessage(
                "two columns of the result are called id (expected: a name for each: id AS other)");
    }

    @ParameterizedTest
    @MethodSource
    void aRowIsAsLargeAsItsValuesNotAsItsJson(String typeName, int type, Object value, int bytes)
            throws SQLException {
        var row = stub(ResultSet.class, method -> method.startsWith("get") ? value : value == null);
        var json = new ByteArrayOutputStream();
        long size;
        try (JsonGenerator generator = Json.generator(json)) {
            size = RowWriter.of(columns(1, typeName, type)).write(generator, row);
        }

        assertThat(size).isEqualTo(bytes);
        assertThat(json.size()).isGreaterThan(bytes);
    }

    static Stream<Arguments> aRowIsAsLargeAsItsValuesNotAsItsJson() {
        return Stream.of(arguments("text", Types.VARCHAR, "\u0001".repeat(100), 100),
                arguments("text", Types.VARCHAR, "\u20ac".repeat(100), 300),
                arguments("jsonb", Types.OTHER, "[1,2]", 5),
                arguments("bytea", Types.BINARY, new byte[300], 300),
                arguments("numeric", Types.NUMERIC, "1.50", 4),
                arguments("int8", Types.BIGINT, 1000L, 8),
                arguments("text", Types.VARCHAR, null, 0));
    }

    @ParameterizedTest
    @CsvSource({"0.50, 0.50", "-12, -12", "0, 0", "007.5, 7.5", "1E+3, 1000", "1E+100000, 1E+100000",
        "5., 5", ".5, 0.5", "NaN, '\"NaN\"'", "-Infinity, '\"-Infinity\"'"})
    void aDecimalIsANumberOfJson(String text, String number) throws SQLException {
        var row = stub(ResultSet.class, _ -> text);
        var json = new ByteArrayOutputStream();
        try (JsonGenerator generator = Json.generator(json)) {
            RowWriter.of(columns(1, "numeric", Types.NUMERIC)).write(generator, row);
        }

        assertThat(json).hasToString("{\"id\":" + number + '}');
    }

    private static ResultSetMetaData columns(int count, String typeName, int type) {
        Map<String, Object> answers = Map.of("getColumnCount", count, "getColumnLabel", "id",
                "getColumnTypeName", typeName, "getColumnType", type);
        return stub(ResultSetMetaData.class, answers::get);
    }

    private static <T> T stub(Class<T> type, Function<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(RowWriterTest.class.getClassLoader(), new Class<?>[] {type},
                (_, method, _) -> answers.apply(method.getName())));
    }
}
