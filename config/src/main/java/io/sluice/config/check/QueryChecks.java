package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.Method;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Checks routes of the kind {@code query}. */
final class QueryChecks {
    /** RFC 9110 section 9.2.1. */
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);

    private QueryChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Query query, Setting at) {
        if (query.sql() != null) {
            checkMethods(route, query, at);
            checkParameters(route, query, at);
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
        var used = new HashSet<>(query.sql().parameters());
        for (String name : used) {
            if (!query.parameters().containsKey(name)) {
                at.at("sql").wrong(':' + name, "parameters { " + name + " { type = … } } for it");
            }
        }
        query.parameters().forEach((name, parameter) -> {
            if (parameter == null) {
                return;
            }
            Setting here = at.at("parameters").at(name);
            if (!used.contains(name)) {
                at.at("parameters").unknown(name, "parameter", used);
            } else if (route.path() != null && !route.path().captures(name)
                    && parameter.from().equals(Optional.of(ParameterConfig.Source.PATH))) {
                here.at("from").wrong("path", "a {" + name + "} in " + route.path());
            }
            checkDefault(parameter, here.at("default"));
        });
    }

    private static void checkDefault(ParameterConfig parameter, Setting at) {
        if (parameter.type() == null) {
            return;
        }
        parameter.defaultText().ifPresent(text -> {
            try {
                parameter.type().parse(text);
            } catch (IllegalArgumentException e) {
                at.wrong(text, String.valueOf(e.getMessage()));
            }
        });
    }
}
