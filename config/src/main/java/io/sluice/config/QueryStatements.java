package io.sluice.config;

import io.sluice.config.type.NamedSql;
import io.sluice.config.write.StepConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The SQL statements of a query. */
public final class QueryStatements {

    private QueryStatements() {
    }

    /** Returns the statements in the order in which they run; the last one is {@code sql}. */
    public static List<NamedSql> of(HandlerConfig.Query query) {
        return Stream.concat(query.write().stream().flatMap(all -> all.before().stream())
                .map(StepConfig::sql), Stream.of(query.sql())).toList();
    }

    /** Returns one of the statements with a {@code ?} for each parameter, which may be an array. */
    public static String jdbc(HandlerConfig.Query query, NamedSql statement) {
        return statement.jdbc(query.parameters().entrySet().stream()
                .filter(entry -> entry.getValue().type().isArray())
                .map(Map.Entry::getKey).collect(Collectors.toSet()));
    }
}
