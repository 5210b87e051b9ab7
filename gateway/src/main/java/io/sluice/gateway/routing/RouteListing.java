package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Presents routes as data for JSON. */
public final class RouteListing {

    private RouteListing() {
    }

    /** Returns one map for each route, in order. */
    public static List<Map<String, Object>> of(List<Route> routes) {
        return routes.stream().map(RouteListing::row).toList();
    }

    /** Returns the same for operators, with the names of the tokens that give access. */
    public static List<Map<String, Object>> withTokens(List<Route> routes) {
        return routes.stream().map(route -> {
            Map<String, Object> row = row(route);
            row.put("tokens", route.tokens().stream().sorted().toList());
            return row;
        }).toList();
    }

    private static Map<String, Object> row(Route route) {
        var row = new LinkedHashMap<String, Object>();
        row.put("name", route.name());
        row.put("path", route.path().toString());
        row.put("methods", route.methods().stream().map(Method::name).sorted().toList());
        row.put("handler", route.kind());
        return row;
    }
}
