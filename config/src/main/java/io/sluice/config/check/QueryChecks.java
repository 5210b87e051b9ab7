package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.SqlErrorConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.NamedSql;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks routes of the kind {@code query}. */
final class QueryChecks {
    /** RFC 9110 section 9.2.1. */
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Pattern STATE = Pattern.compile("[0-9A-Z]{2}([0-9A-Z]{3})?");

    private QueryChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Query query, Setting at) {
        if (query.sql() != null) {
            var writes = new WriteChecks(query, at);
            checkMethods(route, query, writes, at);
            checkParameters(route, query, writes, at);
            checkErrors(query, at.at("errors"));
        }
    }

    /** Browsers, proxies and crawlers repeat and prefetch requests with safe methods. */
    private static void checkMethods(RouteConfig route, HandlerConfig.Query query, WriteChecks writes,
                                     Setting at) {
        if (route.methods() == null || query.writeOnGet()) {
            return;
        }
        String expected = "a statement that only reads, methods = [POST], or write-on-get = true";
        route.methods().stream().filter(SAFE::contains).findFirst().ifPresent(method -> {
            query.sql().change().ifPresent(change -> at.at("sql").wrong(change + " on " + method, expected));
            writes.steps().forEach((step, here) -> Optional.ofNullable(step.sql()).flatMap(NamedSql::change)
                    .ifPresent(change -> here.at("sql").wrong(change + " on " + method, expected)));
        });
    }

    private static void checkParameters(RouteConfig route, HandlerConfig.Query query, WriteChecks writes,
                                        Setting at) {
        if (query.parameters() == null || writes.lacksSteps()) {
            return;
        }
        Set<String> used = writes.checkNames();
        query.parameters().forEach((name, parameter) -> {
            if (!used.contains(name) && parameter != null) {
                at.at("parameters").unknown(name, "parameter", used);
            } else if (parameter != null) {
                ParameterChecks.check(name, parameter, route.path(), at.at("parameters").at(name));
            }
        });
    }

    private static void checkErrors(HandlerConfig.Query query, Setting at) {
        if (query.errors() != null) {
            query.errors().keySet().stream().filter(state -> !STATE.matcher(state).matches())
                    .forEach(state -> at.at(state).wrong(state,
                            "an SQLSTATE, such as 23505, or its first two characters"));
            query.errors().forEach((state, error) -> {
                if (error != null) {
                    checkStatus(error.status(), at.at(state).at("status"));
                }
            });
        }
    }

    /** Requires that a response of this status is complete without further header fields. */
    static void checkStatus(int status, Setting at) {
        if (SqlErrorConfig.NEEDING_FIELDS.contains(status)) {
            at.wrong(status, "none of 405, 407 and 426, which need further header fields");
        }
    }
}
