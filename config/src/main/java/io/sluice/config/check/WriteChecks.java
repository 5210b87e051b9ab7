package io.sluice.config.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.SqlName;
import io.sluice.config.write.StepConfig;
import io.sluice.config.write.WriteConfig;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the key {@code write} of a query. */
final class WriteChecks {
    private static final int PARTIAL_CONTENT = 206;

    private final HandlerConfig.Query query;
    private final Setting route;
    /** The steps with their places in the file; empty if an invalid or repeated one was left out. */
    private final Map<StepConfig, Setting> steps = new LinkedHashMap<>();

    /**
     * Creates checks.
     *
     * @param route the route of the query
     */
    WriteChecks(HandlerConfig.Query query, Setting route) {
        this.query = query;
        this.route = route;
        Setting list = route.at("write").at("steps");
        Set<StepConfig> bound = query.write().map(WriteConfig::before).orElse(Set.of());
        if (bound.size() == list.size()) {
            bound.forEach(step -> steps.put(step, list.at(steps.size())));
        }
    }

    Map<StepConfig, Setting> steps() {
        return steps;
    }

    /** Returns whether there are steps whose places in the file are not known. */
    boolean lacksSteps() {
        return steps.size() != route.at("write").at("steps").size();
    }

    /** Checks the key, and types that a database does not have; the databases may be null. */
    void check(Map<String, DatabaseConfig> databases) {
        DatabaseConfig database = DatabaseChecks.known(databases, query.database());
        checkArrays(database);
        query.write().ifPresent(write -> {
            Setting at = route.at("write");
            checkAnswer(write, at);
            checkSteps();
            if (write.idempotency().isPresent() && database != null
                    && !database.isFor("postgresql") && !database.isFor("h2")) {
                at.at("idempotency").wrong(database.url(), "a database of PostgreSQL or H2");
            }
        });
    }

    private void checkArrays(@Nullable DatabaseConfig database) {
        if (database == null || query.parameters() == null || !database.isFor("mariadb")) {
            return;
        }
        query.parameters().forEach((name, parameter) -> {
            if (parameter != null && parameter.type() != null && parameter.type().isArray()) {
                route.at("parameters").at(name).at("type").wrong(parameter.type(),
                        "no array, which MariaDB does not have");
            }
        });
    }

    private void checkAnswer(WriteConfig write, Setting at) {
        if (write.location().isPresent() && !query.single()) {
            at.at("location").wrong(at.at("location").text(), "single = true beside it");
        }
        if (write.status() == PARTIAL_CONTENT) {
            at.at("status").wrong(write.status(), "200..299, but not that of a range");
        }
        int none = write.none();
        if (none != 0 && none != 200 && none != 204 && none < 400) {
            at.at("none").wrong(none, "200, 204 or 400..499");
        } else if (none == 200 && query.single()) {
            at.at("none").wrong(none, "204 or 400..499 beside single = true");
        }
        QueryChecks.checkStatus(none, at.at("none"));
        if (query.selects()) {
            at.wrong("write", "none beside paging, sort or filter");
        }
        if (query.readOnly()) {
            at.wrong("write", "none beside read-only = true");
        }
    }

    private void checkSteps() {
        Set<String> names = new HashSet<>();
        steps.forEach((step, here) -> {
            step.name().map(SqlName::text).filter(name -> !names.add(name)).ifPresent(name ->
                    here.at("name").wrong(name, "a name of its own"));
            step.none().ifPresent(none -> QueryChecks.checkStatus(none, here.at("none")));
            if (step.noneDetail().isPresent() && step.none().isEmpty()) {
                here.at("none-detail").wrong(here.at("none-detail").text(),
                        "none = 409 or the like beside it");
            }
            if (step.each().isPresent() && step.name().isPresent()) {
                here.at("name").wrong(here.at("name").text(), "none beside each, as it hands on no row");
            }
            if (step.each().isPresent() && step.sql() != null && step.sql().returnsRows()) {
                here.at("sql").wrong(step.sql(), "a change without RETURNING beside each");
            }
        });
        steps.forEach((step, here) -> step.each().map(SqlName::text).filter(names::contains)
                .ifPresent(name -> here.at("each").wrong(name, "another name than that of a step")));
    }

    /**
     * Checks the names that later statements use from earlier ones.
     *
     * @return the names of parameters that the statements use, the members of elements among them
     */
    Set<String> checkNames() {
        Set<String> parameters = new HashSet<>();
        Set<String> handedOn = new HashSet<>();
        steps.forEach((step, at) -> {
            if (step.sql() != null) {
                checkNames(step.sql(), step.each().map(SqlName::text).orElse(""), handedOn, parameters,
                        at.at("sql"));
            }
            step.name().ifPresent(name -> handedOn.add(name.text()));
        });
        checkNames(query.sql(), "", handedOn, parameters, route.at("sql"));
        return parameters;
    }

    private void checkNames(NamedSql sql, String each, Set<String> handedOn, Set<String> parameters,
                            Setting at) {
        for (String used : new HashSet<>(sql.parameters())) {
            String name = ParameterChecks.subject(used, query.parameters());
            int dot = name.indexOf('.');
            String owner = dot < 0 ? "" : name.substring(0, dot);
            if (dot > 0 && !owner.equals(each) && !handedOn.contains(owner)) {
                at.wrong(':' + name, "name = " + owner + " of an earlier step, or each = " + owner
                        + " beside it");
            } else if (dot < 0 || owner.equals(each)) {
                parameters.add(name);
                requireDeclared(name, sql, at);
            }
        }
    }

    private void requireDeclared(String name, NamedSql sql, Setting at) {
        ParameterConfig parameter = query.parameters().get(name);
        if (!query.parameters().containsKey(name)) {
            String key = name.contains(".") ? '"' + name + '"' : name;
            at.wrong(':' + name, "parameters { " + key + " { type = … } } for it");
        } else if (parameter != null) {
            checkPrecondition(name, parameter.from().orElse(Source.PATH), sql, at);
        }
    }

    private static void checkPrecondition(String name, Source from, NamedSql sql, Setting at) {
        if (from == Source.IF_MATCH && !sql.asksForNull(name)) {
            at.wrong(':' + name, "(:" + name + " IS NULL OR version IN (:" + name
                    + ")), as If-Match: * is NULL");
        } else if (from == Source.IF_NONE_MATCH && sql.asksForNull(name)) {
            at.wrong(':' + name + " IS NULL", "version NOT IN (:" + name
                    + ") alone, which is not true for If-None-Match: *");
        }
    }
}
