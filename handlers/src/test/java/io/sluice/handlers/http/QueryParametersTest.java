package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
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

/** What QueryContract does not see: what is bound, and what a default is refused for. */
class QueryParametersTest {
    private final List<String> bound = new ArrayList<>();
    private final PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (_, method, arguments) -> {
                bound.add(method.getName() + Arrays.toString(arguments));
                return null;
            });

    private static QueryParameters parameters(String sql, Map<String, ParameterConfig> parameters) {
        return new QueryParameters(
                new HandlerConfig.Query("db", NamedSql.parse(sql), false, 10, false, parameters),
                PathTemplate.parse("/things/{id}"));
    }

    private static ParameterConfig parameter(ParameterType type, Source from, String fallback) {
        return new ParameterConfig(type, Optional.ofNullable(from), Optional.ofNullable(fallback), true);
    }

    @Test
    void eachPlaceInTheStatementGetsTheValueOfItsName() throws Exception {
        var named = new LinkedHashMap<String, ParameterConfig>();
        named.put("b", parameter(ParameterType.TEXT, null, null));
        named.put("a", parameter(ParameterType.LONG, null, null));

        parameters("SELECT :a, :b, :a", named).bind(statement, new Object[] {"text", 7L});

        assertThat(bound).containsExactly("setObject[1, 7]", "setObject[2, text]", "setObject[3, 7]");
    }

    @Test
    void nullIsBoundWithTheTypeOfItsParameter() throws Exception {
        for (ParameterType type : ParameterType.values()) {
            parameters("SELECT :a", Map.of("a", parameter(type, null, null)))
                    .bind(statement, new Object[] {null});
        }

        assertThat(bound).containsExactlyElementsOf(
                Stream.of(Types.BIGINT, Types.NUMERIC, Types.VARCHAR, Types.BOOLEAN, Types.DATE,
                        Types.TIMESTAMP + ", timestamp", Types.OTHER + ", uuid")
                        .map(type -> "setNull[1, " + type + ']').toList());
    }

    @Test
    void onlyParametersOfTheBodyAreLookedForInIt() {
        var named = new LinkedHashMap<String, ParameterConfig>();
        named.put("a", parameter(ParameterType.TEXT, Source.BODY, null));
        named.put("b", parameter(ParameterType.TEXT, Source.QUERY_STRING, null));
        QueryParameters parameters = parameters("SELECT :a, :b", named);

        assertThat(parameters.inBody()).containsExactly("a");
        assertThat(parameters.addBody(new Object[] {null, "query"}, Map.of("a", "body", "b", "body")))
                .containsExactly("body", "query");
    }
}
