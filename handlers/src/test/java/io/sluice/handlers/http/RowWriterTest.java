package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowWriterTest {
    private static final Map<String, Object> COLUMN_TYPES = Map.of("getColumnCount", 2,
            "getColumnLabel", "id", "getColumnTypeName", "int8", "getColumnType", Types.BIGINT);

    @Test
    void theLogSaysWhichColumnsHaveOneNameAndWhatHelps() {
        var columns = (ResultSetMetaData) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ResultSetMetaData.class},
                (_, method, _) -> COLUMN_TYPES.get(method.getName()));

        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> RowWriter.of(columns)).withMessage(
                "two columns of the result are called id (expected: a name for each: id AS other)");
    }
}
