package io.sluice.gateway.routing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Routes as data that can be shown, in JSON or as a table. */
public final class RouteTable {

    private RouteTable() {
    }

    /** One map a route, in order. */
    public static List<Map<String, Object>> of(List<Route> routes) {
        return routes.stream().map(RouteTable::row).toList();
    }

    /** The same for operators, with the names of the tokens that open a route. */
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
        row.put("methods", route.methods().stream().map(Enum::name).sorted().toList());
        row.put("handler", route.kind());
        return row;
    }
}
