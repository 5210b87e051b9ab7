package io.sluice.handlers.write;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.ParameterType;
import io.sluice.config.write.WriteConfig;
import io.sluice.offload.jdbc.StatementCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a query as they are checked against their database. */
public final class CheckedStatements {

    private CheckedStatements() {
    }

    /**
     * Returns the statements by their keys below that of the route.
     *
     * @param jdbc the last one
     * @param nulls as many as a request has values
     * @param binding binds nulls to the last one
     */
    public static Map<String, StatementCheck.Checked> of(HandlerConfig.Query query, List<Step> steps,
                                                         String jdbc, @Nullable Object[] nulls,
                                                         StatementCheck.Binding binding) {
        var checked = new LinkedHashMap<String, StatementCheck.Checked>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            checked.put("write.steps." + i + ".sql", new StatementCheck.Checked(step.jdbc(),
                    parameters(query, step.config().sql()), statement -> step.binding()
                            .bind(statement, nulls, new @Nullable Object[step.members()])));
        }
        query.write().flatMap(WriteConfig::idempotency).ifPresent(config ->
                checked.put("write.idempotency.table", new StatementCheck.Checked(
                        IdempotencyTable.select(config.table()), List.of(), _ -> { })));
        checked.put("sql", new StatementCheck.Checked(jdbc, parameters(query, query.sql()), binding));
        return checked;
    }

    private static List<StatementCheck.Parameter> parameters(HandlerConfig.Query query, NamedSql sql) {
        return sql.parameters().stream().map(name -> new StatementCheck.Parameter(name,
                query.parameters().containsKey(name) ? query.parameters().get(name).type()
                        : name.endsWith(ParameterConfig.SENT) ? ParameterType.SENT : null)).toList();
    }
}
