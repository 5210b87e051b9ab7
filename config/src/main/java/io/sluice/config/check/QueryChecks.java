package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.Method;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks routes of the kind {@code query}. */
final class QueryChecks {
    /** RFC 9110 section 9.2.1. */
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Pattern STATE = Pattern.compile("[0-9A-Z]{2}([0-9A-Z]{3})?");

    private QueryChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Query query, Setting at) {
        if (query.sql() != null) {
            checkMethods(route, query, at);
            checkParameters(route, query, at);
            checkErrors(query, at.at("errors"));
        }
    }

    /** Browsers, proxies and crawlers repeat and prefetch requests with safe methods. */
    private static void checkMethods(RouteConfig route, HandlerConfig.Query query, Setting at) {
        if (route.methods() == null || query.writeOnGet()) {
            return;
        }
        route.methods().stream().filter(SAFE::contains).findFirst().ifPresent(method ->
                query.sql().change().ifPresent(change -> at.at("sql").wrong(change + " on " + method,
                        "a statement that only reads, methods = [POST], or write-on-get = true")));
    }

    private static void checkParameters(RouteConfig route, HandlerConfig.Query query, Setting at) {
        if (query.parameters() == null) {
            return;
        }
        Set<String> used = query.sql().parameters().stream()
                .map(name -> ParameterChecks.subject(name, query.parameters())).collect(Collectors.toSet());
        for (String name : used) {
            if (!query.parameters().containsKey(name)) {
                at.at("sql").wrong(':' + name, "parameters { " + name + " { type = … } } for it");
            }
        }
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
        }
    }
}
