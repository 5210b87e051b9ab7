package io.sluice.gateway.openapi;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.RouteConfig;
import io.sluice.config.session.SettingSource;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.config.write.StepConfig;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.rows.ColumnSchema;
import io.sluice.handlers.write.StepNames;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes routes of the kind {@code query}. */
final class QueryOperation {
    private static final int PROBLEM = 400;
    private static final String TAG = "(W/)?\"[!#-~]*\"";

    private final RouteConfig route;
    private final HandlerConfig.Query query;
    private final DatabaseConfig database;
    private final Schemas schemas;
    /** Empty if the statement has no result; null if that is not known. */
    private final @Nullable List<ColumnSchema> columns;
    private final Operation operation = new Operation();

    /**
     * Begins the description of a route.
     *
     * @param database of the query
     * @param columns of the result; empty if there is none, null if that is not known
     */
    QueryOperation(RouteConfig route, HandlerConfig.Query query, DatabaseConfig database,
                   @Nullable List<ColumnSchema> columns) {
        this.route = route;
        this.query = query;
        this.database = database;
        schemas = new Schemas(database.isFor("postgresql"));
        this.columns = columns;
    }

    /**
     * Describes the route for a method.
     *
     * @param isRead whether the method is GET or HEAD
     */
    Operation of(boolean isRead) {
        query.parameters().forEach(this::addParameter);
        addHeaders();
        QueryBody.addTo(operation, query, schemas);
        new SelectionParameters(query, schemas, columns == null ? List.of() : columns).addTo(operation);
        new QueryResult(query, columns, operation).add(isRead);
        addProblems(isRead);
        return operation;
    }

    private void addParameter(String name, ParameterConfig parameter) {
        if (QueryBody.has(query, name, parameter)) {
            return;
        }
        boolean required = parameter.required() && parameter.defaultText().isEmpty();
        Map<String, Object> schema = schemas.ofText(parameter);
        switch (parameter.from().orElse(route.path().captures(name) ? Source.PATH : Source.QUERY_STRING)) {
            case QUERY_STRING -> operation.parameter("query", name, required, schema);
            case HEADER -> operation.parameter("header", parameter.headerOf(name), required,
                    schemas.ofHeader(parameter));
            case IF_MATCH -> addPrecondition("If-Match", required,
                    "The entity tags of the state that is to be changed, or *");
            case IF_NONE_MATCH -> addPrecondition("If-None-Match", required,
                    "The entity tags of states that are not to be changed; * for any");
            case PATH, BODY, CALLER -> { }
        }
    }

    private void addPrecondition(String name, boolean required, String description) {
        operation.parameter("header", name, required, Schemas.of("type", "string",
                "pattern", "^(\\*|" + TAG + "([ \\t]*,[ \\t]*" + TAG + ")*)$", "examples", List.of("*")),
                "description", description);
    }

    private void addHeaders() {
        query.write().flatMap(WriteConfig::idempotency).map(IdempotencyConfig::required).ifPresent(required ->
                operation.parameter("header", "Idempotency-Key", required, Schemas.IDEMPOTENCY_KEY,
                        "description", "A request that is repeated with its key changes data once"));
        query.live().ifPresent(_ -> operation.parameter("header", "Last-Event-ID", false,
                Schemas.HEADER,
                "description", "The id of the last event that the client of an event stream has"));
        database.session().local().values().stream()
                .filter(source -> source.kind() == SettingSource.Kind.HEADER)
                .forEach(source -> operation.parameter("header", source.detail(), false,
                        Schemas.HEADER, "description", "A setting of the database's transaction"));
    }

    private void addProblems(boolean isRead) {
        var statuses = new TreeSet<>(Set.of(409, 422));
        query.errors().values().forEach(error -> statuses.add(error.status()));
        query.write().ifPresent(write -> addProblems(write, statuses));
        addPreconditions(statuses);
        if (query.single()) {
            statuses.add(404);
        }
        if (query.contentType().isEmpty() && query.bulk().isEmpty()) {
            statuses.add(406);
        }
        if (isRead && query.etag().isPresent()) {
            statuses.add(412);
        }
        if (Callers.isRequired(query)) {
            statuses.add(401);
        }
        operation.problems(statuses);
        operation.otherProblems("An error that a function, trigger or policy of the database raises");
    }

    private void addProblems(WriteConfig write, Set<Integer> statuses) {
        if (query.sql().change().isPresent() && write.none() >= PROBLEM) {
            statuses.add(write.none());
        }
        write.before().stream().map(StepConfig::none).flatMap(none -> none.stream()).forEach(statuses::add);
        if (!StepNames.of(query).columns().isEmpty()) {
            statuses.add(404);
        }
    }

    private void addPreconditions(Set<Integer> statuses) {
        query.parameters().values().stream().filter(parameter ->
                parameter.from().filter(Source.PRECONDITIONS::contains).isPresent()).forEach(parameter -> {
                    statuses.add(412);
                    if (parameter.required()) {
                        statuses.add(428);
                    }
                });
    }
}
