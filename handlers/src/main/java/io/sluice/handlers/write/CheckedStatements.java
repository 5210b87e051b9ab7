package io.sluice.handlers.write;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.type.EtagSource;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.ParameterType;
import io.sluice.config.write.WriteConfig;
import io.sluice.offload.jdbc.ExpectedResult;
import io.sluice.offload.jdbc.StatementCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * @param selections the statements around the last one
     */
    public static Map<String, StatementCheck.Checked> of(HandlerConfig.Query query, List<Step> steps,
                                                         String jdbc, @Nullable Object[] nulls,
                                                         StatementCheck.Binding binding,
                                                         List<StatementCheck.Selection> selections) {
        var checked = new LinkedHashMap<String, StatementCheck.Checked>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            checked.put("write.steps." + i + ".sql", new StatementCheck.Checked(step.jdbc(),
                    parameters(query, step.config().sql()), statement -> step.binding()
                            .bind(statement, nulls, new @Nullable Object[step.members()]),
                    new ExpectedResult(step.handedOn().keySet().stream()
                            .map(column -> new ExpectedResult.Column(null, column, false)).toList(), null),
                    List.of()));
        }
        query.write().flatMap(WriteConfig::idempotency).ifPresent(config ->
                checked.put("write.idempotency.table", new StatementCheck.Checked(
                        IdempotencyTable.select(config.table()), List.of(), _ -> { }, ExpectedResult.ANY,
                        List.of())));
        checked.put("sql", new StatementCheck.Checked(jdbc, parameters(query, query.sql()), binding,
                result(query), selections));
        return checked;
    }

    private static ExpectedResult result(HandlerConfig.Query query) {
        Optional<String> tag = query.etag().flatMap(EtagSource::column);
        var columns = new ArrayList<ExpectedResult.Column>();
        tag.ifPresent(column -> columns.add(new ExpectedResult.Column("etag", column, true)));
        query.write().flatMap(WriteConfig::location).stream()
                .flatMap(template -> template.columns().stream())
                .map(column -> new ExpectedResult.Column("write.location", column, false))
                .forEach(columns::add);
        return new ExpectedResult(columns, query.contentType()
                .map(_ -> new ExpectedResult.Value("content-type", tag.orElse(null))).orElse(null));
    }

    private static List<StatementCheck.Parameter> parameters(HandlerConfig.Query query, NamedSql sql) {
        return sql.parameters().stream().map(name -> new StatementCheck.Parameter(name,
                query.parameters().containsKey(name) ? query.parameters().get(name).type()
                        : name.endsWith(ParameterConfig.SENT) ? ParameterType.SENT : null)).toList();
    }
}
