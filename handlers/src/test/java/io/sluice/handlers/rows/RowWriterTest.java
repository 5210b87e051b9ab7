package io.sluice.handlers.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
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

class RowWriterTest {
    @Test
    void theLogSaysWhichColumnsHaveOneNameAndWhatHelps() {
        ResultSetMetaData columns = columns(2, "int8", Types.BIGINT);

        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> RowWriter.of(columns, null))
                .withMessage("two columns of the result are called id "
                        + "(expected: a name for each: id AS other)");
    }

    @ParameterizedTest
    @CsvSource({"1, int8, -5, true", "2, int8, -5, false", "1, timestamptz, 2014, false",
        "1, text, 12, false"})
    void isSharedByResultsOfEqualColumns(int count, String typeName, int type, boolean isShared)
            throws Exception {
        RowWriter writer = RowWriter.of(columns(1, "int8", Types.BIGINT), null);

        assertThat(writer.isFor(columns(count, typeName, type), null)).isEqualTo(isShared);
        RowWriter same = RowWriter.of(columns(1, typeName, type), null);
        assertThat(same.isFor(columns(1, typeName, type), null)).isTrue();
    }

    @Test
    void isNotSharedByResultsWithAnotherColumnName() throws Exception {
        RowWriter writer = RowWriter.of(bigints("id", "version"), "version");

        assertThat(writer.isFor(bigints("id", "version"), "version")).isTrue();
        assertThat(writer.isFor(bigints("other", "version"), "version")).isFalse();
        assertThat(writer.isFor(bigints("version", "id"), "version")).isFalse();
        assertThat(writer.isFor(bigints("id"), "version")).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void aRowIsAsLargeAsItsValuesNotAsItsJson(String typeName, int type, Object value, int bytes)
            throws Exception {
        var row = stub(ResultSet.class, method -> method.startsWith("get") ? value : value == null);
        var json = new ByteArrayOutputStream();
        RowWriter writer = RowWriter.of(columns(1, typeName, type), null);
        RowOutput out = writer.single(Representation.JSON, json);
        long size = writer.write(out, row);
        out.end();

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
    void aDecimalIsANumberOfJson(String text, String number) throws Exception {
        var row = stub(ResultSet.class, _ -> text);
        var json = new ByteArrayOutputStream();
        RowWriter writer = RowWriter.of(columns(1, "numeric", Types.NUMERIC), null);
        RowOutput out = writer.single(Representation.JSON, json);
        writer.write(out, row);
        out.end();

        assertThat(json).hasToString("{\"id\":" + number + '}');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            plain      | plain
            a,b        | "a,b"
            say "hi"   | "say ""hi\"""
            ``         | ""
            =1+1       | =1+1
            Bj\u00f6rn | Bj\u00f6rn
            """)
    void aTextOfCsvIsQuotedWhereItMust(String text, String field) throws Exception {
        assertThat(csv(text)).isEqualTo("id\r\n" + field + "\r\n");
    }

    @Test
    void aLineBreakOfCsvIsQuotedAndALongTextIsWhole() throws Exception {
        assertThat(csv("a\nb")).isEqualTo("id\r\n\"a\nb\"\r\n");
        assertThat(csv("a".repeat(100_000))).isEqualTo("id\r\n" + "a".repeat(100_000) + "\r\n");
        assertThat(csv(null)).isEqualTo("id\r\n\r\n");
    }

    private static String csv(String text) throws Exception {
        var to = new ByteArrayOutputStream();
        RowWriter writer = RowWriter.of(columns(1, "text", Types.VARCHAR), null);
        RowOutput out = writer.list(Representation.CSV, to);
        writer.write(out, stub(ResultSet.class, _ -> text));
        out.end();
        return to.toString(UTF_8);
    }

    private static ResultSetMetaData columns(int count, String typeName, int type) {
        Map<String, Object> answers = Map.of("getColumnCount", count, "getColumnLabel", "id",
                "getColumnTypeName", typeName, "getColumnType", type);
        return stub(ResultSetMetaData.class, answers::get);
    }

    private static ResultSetMetaData bigints(String... labels) {
        ResultSetMetaData others = columns(labels.length, "int8", Types.BIGINT);
        return (ResultSetMetaData) Proxy.newProxyInstance(RowWriterTest.class.getClassLoader(),
                new Class<?>[] {ResultSetMetaData.class}, (_, method, arguments) ->
                        method.getName().equals("getColumnLabel") ? labels[(int) arguments[0] - 1]
                                : method.invoke(others, arguments));
    }

    private static <T> T stub(Class<T> type, Function<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(RowWriterTest.class.getClassLoader(), new Class<?>[] {type},
                (_, method, _) -> answers.apply(method.getName())));
    }
}
