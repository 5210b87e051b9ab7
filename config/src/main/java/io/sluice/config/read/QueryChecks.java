package io.sluice.config.read;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.read.AnswerChecks.Blame;
import io.sluice.config.type.Method;
import java.util.EnumSet;
import java.util.Set;

/** Checks what routes say of their SQL. */
final class QueryChecks {
    /** RFC 9110 section 9.2.1. */
    private static final Set<Method> SAFE = EnumSet.of(Method.GET, Method.HEAD, Method.OPTIONS);

    private final Blame blame;

    QueryChecks(Blame blame) {
        this.blame = blame;
    }

    /** Browsers, proxies and crawlers send safe requests again, and before anybody asks for them. */
    void checkMethods(String name, RouteConfig route, HandlerConfig.Query query) {
        if (query.sql() == null || route.methods() == null || query.writeOnGet()) {
            return;
        }
        route.methods().stream().filter(SAFE::contains).findFirst().ifPresent(method ->
                query.sql().change().ifPresent(change -> blame.wrong(change + " on " + method,
                        "a statement that only reads, methods = [POST], or write-on-get = true",
                        "routes", name, "sql")));
    }
}
