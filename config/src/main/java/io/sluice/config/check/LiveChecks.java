package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.RouteConfig;
import io.sluice.config.topic.LiveConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.ScalarType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the key {@code live} of a query. */
final class LiveChecks {

    private LiveChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Query query, LiveConfig live, Setting at) {
        if (route.methods() != null && !route.methods().contains(Method.GET)) {
            at.wrong(route.methods(), "methods with GET, as of a client of server-sent events");
        }
        if (query.paging().isPresent()) {
            at.wrong("a page", "no paging beside it, as a result is sent whole");
        }
        query.write().ifPresent(_ -> at.wrong("write", "no write beside it, as a result is read"));
        query.contentType().ifPresent(type ->
                at.wrong(type, "no content-type beside it, as events have JSON"));
        if (query.sql() != null) {
            query.sql().change().ifPresent(change -> at.wrong(change, "a statement that only reads"));
        }
        if (query.parameters() != null) {
            query.parameters().forEach((name, parameter) -> {
                if (parameter != null && parameter.from().equals(Optional.of(Source.BODY))) {
                    at.wrong(name + " from the body", "parameters of a request without a body");
                }
            });
            if (live.topic() != null) {
                live.topic().columns().forEach(name -> checkName(name, query.parameters().get(name), at));
            }
        }
    }

    private static void checkName(String name, @Nullable ParameterConfig parameter, Setting at) {
        if (parameter == null || parameter.type() == null) {
            at.at("topic").wrong('{' + name + '}', "the name of a parameter of the query in braces");
        } else if (parameter.type().isArray() || parameter.type().scalar() == ScalarType.JSON
                || parameter.type().scalar() == ScalarType.BYTEA) {
            at.at("topic").wrong('{' + name + "}, " + parameter.type(), "a parameter of another type");
        } else if (!parameter.required() && parameter.defaultText().isEmpty()) {
            at.at("topic").wrong('{' + name + '}', "a parameter that each request has, or with a default");
        }
    }
}
