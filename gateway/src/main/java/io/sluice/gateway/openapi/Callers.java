package io.sluice.gateway.openapi;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.RouteConfig;
import io.sluice.config.session.SettingSource;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.write.WriteConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Describes whether routes need the token of a caller, or take one. */
final class Callers {
    private static final Map<String, List<String>> BEARER = Map.of("bearer", List.of());
    private static final Map<String, List<String>> ACCESS_TOKEN = Map.of("accessToken", List.of());

    private Callers() {
    }

    /** Returns the security requirements of a route; empty if tokens do not matter. */
    static List<Map<String, List<String>>> security(GatewayConfig config, RouteConfig route) {
        boolean isRequired = route.tokens().isPresent() && !route.isOpenapiPage()
                || route.handler() instanceof HandlerConfig.Query query && isRequired(query);
        var security = new ArrayList<Map<String, List<String>>>();
        if (!isRequired && !isUsed(config, route)) {
            return security;
        }
        if (!isRequired) {
            security.add(Map.of());
        }
        security.add(BEARER);
        if (route.handler() instanceof HandlerConfig.ForSockets) { // not for other requests to an upstream
            security.add(ACCESS_TOKEN);
        }
        return security;
    }

    /** Returns the security schemes of a document. */
    static Map<String, Object> schemes() {
        return Schemas.of(
                "bearer", Schemas.of("type", "http", "scheme", "bearer"),
                "accessToken", Schemas.of("type", "apiKey", "in", "query", "name", "access_token",
                        "description", "For WebSockets, as browsers let no script set their headers"));
    }

    /** Returns whether a request without a token gets 401, as the caller is a parameter. */
    static boolean isRequired(HandlerConfig.Query query) {
        return parameters(query).anyMatch(ParameterConfig::required);
    }

    private static Stream<ParameterConfig> parameters(HandlerConfig.Query query) {
        return query.parameters().values().stream()
                .filter(parameter -> parameter.from().filter(Source.CALLER::equals).isPresent());
    }

    private static boolean isUsed(GatewayConfig config, RouteConfig route) {
        return switch (route.handler()) {
            case HandlerConfig.Openapi _ -> route.tokens().isPresent();
            case HandlerConfig.Query query -> parameters(query).findAny().isPresent()
                    || query.write().flatMap(WriteConfig::idempotency).isPresent()
                    || Objects.requireNonNull(config.databases().get(query.database())).session().local()
                            .values().stream().anyMatch(source -> source.kind() == SettingSource.Kind.CALLER);
            case HandlerConfig.Events events -> hasRights(config, events.topics());
            case HandlerConfig.Publish publish -> hasRights(config, publish.topics());
            case HandlerConfig.Presence presence -> hasRights(config, presence.topics());
            case HandlerConfig.WsRpc _ -> !config.tokens().isEmpty(); // its requests are those of the caller
            case HandlerConfig.WsTopic topic -> hasRights(config, topic.topics());
            default -> false;
        };
    }

    private static boolean hasRights(GatewayConfig config, String topics) {
        TopicsConfig named = Objects.requireNonNull(config.topics().get(topics));
        return !named.rights().isEmpty();
    }
}
