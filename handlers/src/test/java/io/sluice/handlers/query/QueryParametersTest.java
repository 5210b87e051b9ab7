package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.ParameterConfig;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.FakeExchange;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Binding of parameters and checks of their defaults: cases that {@code QueryContract} does not cover. */
class QueryParametersTest {
    private final List<String> bound = new ArrayList<>();
    private final PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (_, method, arguments) -> {
                bound.add(method.getName() + Arrays.toString(arguments));
                return null;
            });

    private static QueryParameters parameters(String sql, Map<String, ParameterConfig> parameters) {
        return new QueryParameters(QueryConfigs.of(sql, parameters, Map.of()),
                PathTemplate.parse("/things/{id}"));
    }

    static ParameterConfig parameter(ScalarType type, boolean isArray) {
        return new ParameterConfig(new ParameterType(type, isArray), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), true);
    }

    @Test
    void eachPlaceInTheStatementGetsTheValueOfItsName() throws Exception {
        var named = new LinkedHashMap<String, ParameterConfig>();
        named.put("b", parameter(ScalarType.TEXT, false));
        named.put("a", parameter(ScalarType.LONG, false));

        parameters("SELECT :a, :b, :a", named).bind(statement, 1, new Object[] {"text", 7L});

        assertThat(bound).containsExactly("setObject[1, 7]", "setObject[2, text]", "setObject[3, 7]");
    }

    @Test
    void manyElementsAndLongTextsAreLarge() {
        for (boolean isArray : new boolean[] {true, false}) {
            QueryParameters parameters = parameters("SELECT :a", Map.of("a",
                    parameter(isArray ? ScalarType.DECIMAL : ScalarType.TEXT, isArray)));
            for (int times : new int[] {10, 1000}) {
                String query = isArray ? "&a=1".repeat(times) : "a=" + "text.".repeat(times);
                QueryArguments read = parameters.readHead(new FakeExchange(HttpMethod.GET, "/?" + query, 0));

                assertThat(read.areLarge()).as(query).isEqualTo(times == 1000);
            }
        }
    }

    @Test
    void nullIsBoundWithTheTypeOfItsParameter() throws Exception {
        for (ScalarType type : ScalarType.values()) {
            parameters("SELECT :a", Map.of("a", parameter(type, false)))
                    .bind(statement, 1, new Object[] {null});
        }
        parameters("SELECT :a", Map.of("a", parameter(ScalarType.LONG, true)))
                .bind(statement, 1, new Object[] {null});

        assertThat(bound).containsExactlyElementsOf(
                Stream.of(Types.INTEGER, Types.BIGINT, Types.DOUBLE, Types.NUMERIC, Types.VARCHAR,
                        Types.BOOLEAN, Types.DATE, Types.TIME + ", time", Types.TIMESTAMP + ", timestamp",
                        Types.TIMESTAMP_WITH_TIMEZONE + ", timestamptz", Types.OTHER + ", uuid", Types.BINARY,
                        Types.OTHER, Types.OTHER, Types.ARRAY + ", _int8")
                        .map(type -> "setNull[1, " + type + ']').toList());
    }

    @Test
    void aParameterMayHaveTheNameOfACompanion() throws Exception {
        var named = new LinkedHashMap<String, ParameterConfig>();
        named.put("a", parameter(ScalarType.TEXT, false));
        named.put("a_sent", parameter(ScalarType.LONG, false));
        QueryParameters parameters = parameters("SELECT :a, :a_sent, :a_sent_sent", named);

        parameters.bind(statement, 1,
                parameters.readHead(new FakeExchange(HttpMethod.GET, "/?a=text&a_sent=7", 0)).values());

        assertThat(bound).containsExactly("setObject[1, text]", "setObject[2, 7]", "setObject[3, true]");
    }
}
