package io.sluice.handlers.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.write.LocationTemplate;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowLocationTest {
    @Test
    void valuesAreSegments() throws SQLException {
        assertThat(of("/files/{a}/{b}", "a/b?", "..c")).isEqualTo("/files/a%2Fb%3F/..c");
        assertThat(of("https://x/?of={a}", "..")).isEqualTo("https://x/?of=..");
        assertThat(of("/v1.{a}#{b}", ".", "..")).isEqualTo("/v1..#..");
    }

    /** Clients resolve dot segments, also encoded ones, and take what is behind {@code //} for a host. */
    @ParameterizedTest
    @CsvSource({"/files/{a}, .., x", "/files/{a}/{b}, ., x", "/files/{a}{b}, ., .",
        "/files/{a}?of={b}, .., x", "/files/{a}#{b}, .., x", "/{a}/{b}, '', example.com", "/files/{a}, , x"})
    void aReferenceThatWouldLeadElsewhereIsNone(String template, String a, String b) throws SQLException {
        assertThat(of(template, a, b)).isNull();
    }

    private static String of(String template, String... values) throws SQLException {
        ResultSetMetaData types = stub(ResultSetMetaData.class,
                (method, _) -> method.equals("getColumnType") ? (Object) Types.VARCHAR : "text");
        ResultSet row = stub(ResultSet.class, (method, argument) -> switch (method) {
            case "getMetaData" -> types;
            case "findColumn" -> List.of("a", "b").indexOf(argument) + 1;
            default -> values[(int) argument - 1];
        });
        return new RowLocation(LocationTemplate.parse(template)).of(row);
    }

    private interface Answers {
        Object of(String method, Object argument);
    }

    private static <T> T stub(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(RowLocationTest.class.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> answers.of(method.getName(),
                        arguments == null ? null : arguments[0])));
    }
}
