package io.sluice.gateway.openapi;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.RouteConfig;
import io.sluice.config.read.Plugins;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import io.sluice.config.type.PathTemplate.Segment;
import io.sluice.config.type.ScalarType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Builds the OpenAPI document of a configuration. Not thread-safe. */
final class ApiDocument {
    /** The methods that a Path Item has a field for. */
    private static final List<Method> DESCRIBED = Method.STANDARD;
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    /** The statuses that any request can get; 415 for a Content-Encoding that is not known. */
    private static final List<Integer> PROBLEMS = List.of(400, 408, 413, 414, 415, 431, 500, 503, 504);

    /** The order in which the router prefers routes of one shape. */
    private static final Comparator<RouteConfig> PRECEDENCE = Comparator
            .comparing((RouteConfig route) -> route.path().segments().contains(new Rest()))
            .thenComparing(route -> route.methods().contains(Method.ANY))
            .thenComparing(route -> !route.methods().contains(Method.HEAD));

    private final GatewayConfig config;
    private final DescribedColumns.Known results;
    private final Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
    private final Set<String> ids = new HashSet<>();
    private final Set<Integer> problems = new TreeSet<>();
    private boolean hasSecurity;

    private ApiDocument(GatewayConfig config, DescribedColumns.Known results) {
        this.config = config;
        this.results = results;
    }

    /**
     * Returns the members of the document, except {@code openapi}, {@code info} and {@code servers}.
     */
    static Map<String, Object> of(GatewayConfig config, DescribedColumns.Known results) {
        return new ApiDocument(config, results).build();
    }

    private Map<String, Object> build() {
        var routesByShape = new LinkedHashMap<String, List<Map.Entry<String, RouteConfig>>>();
        config.routes().entrySet().forEach(route -> routesByShape
                .computeIfAbsent(ApiPath.shape(route.getValue().path()), _ -> new ArrayList<>()).add(route));
        routesByShape.values().forEach(this::add);
        var components = new LinkedHashMap<String, Object>();
        components.put("schemas", Map.of("Problem", Responses.problemSchema()));
        var responses = new TreeMap<String, Object>();
        problems.forEach(status -> responses.put(String.valueOf(status), Responses.problem(status)));
        components.put("responses", responses);
        if (hasSecurity) {
            components.put("securitySchemes", Callers.schemes());
        }
        Map<String, Object> document = Schemas.of("paths", paths, "components", components);
        if (!results.unknown().isEmpty()) {
            document.put("x-incomplete", results.unknown());
        }
        return document;
    }

    /** Describes the routes of one shape, each for the methods that the router gives to it. */
    private void add(List<Map.Entry<String, RouteConfig>> routes) {
        routes.sort(Map.Entry.comparingByValue(PRECEDENCE));
        ApiPath path = ApiPath.of(routes.getFirst().getValue().path());
        var served = new HashSet<Method>();
        routes.forEach(route -> {
            described(route.getValue()).stream().filter(served::add)
                    .forEach(method -> add(route.getKey(), route.getValue(), method, path));
            if (served.contains(Method.GET)) {
                served.add(Method.HEAD); // which a route for GET serves, unless another one names it
            }
        });
    }

    private static List<Method> described(RouteConfig route) {
        boolean isAny = route.methods().contains(Method.ANY);
        return DESCRIBED.stream().filter(method -> isAny || route.methods().contains(method)).toList();
    }

    private void add(String name, RouteConfig route, Method method, ApiPath path) {
        Map<String, Object> item = paths.computeIfAbsent(path.template(), _ -> new LinkedHashMap<>());
        String field = method.name().toLowerCase(Locale.ROOT);
        Operation operation = operation(name, route, method);
        if (!isForeign(route)) {
            operation.problems(problems(route, method));
            if (!route.filters().isEmpty()) {
                operation.others("A response of a plug-in's filter");
            }
        }
        Map<String, Object> members = operation.toMap();
        var complete = new LinkedHashMap<String, Object>();
        complete.put("operationId", id(described(route).size() == 1 ? name : name + '-' + field));
        complete.put("tags", List.of(Plugins.name(route.handler().getClass())));
        complete.putAll(members);
        List<Object> parameters = pathParameters(route, path);
        if (members.get("parameters") instanceof List<?> others) {
            parameters.addAll(others);
        }
        if (!parameters.isEmpty()) {
            complete.put("parameters", parameters);
        }
        List<Map<String, List<String>>> security = Callers.security(config, route);
        if (!security.isEmpty()) {
            complete.put("security", security);
            hasSecurity = true;
        }
        complete.put("x-limits", limits(route));
        noteProblems(members);
        item.put(field, complete);
    }

    private Operation operation(String name, RouteConfig route, Method method) {
        if (!(route.handler() instanceof HandlerConfig.Query query)) {
            return KindOperation.of(route, method, config.topics());
        }
        boolean isRead = method.equals(Method.GET) || method.equals(Method.HEAD);
        return new QueryOperation(route, query, database(query), results.columns().get(name)).of(isRead);
    }

    private DatabaseConfig database(HandlerConfig.Query query) {
        return Objects.requireNonNull(config.databases().get(query.database()));
    }

    /** Returns whether responses are made elsewhere: with any status, some of which have other problems. */
    private static boolean isForeign(RouteConfig route) {
        return route.handler() instanceof HandlerConfig.Proxy
                || route.handler() instanceof HandlerConfig.Plugin;
    }

    private static Set<Integer> problems(RouteConfig route, Method method) {
        var statuses = new TreeSet<>(PROBLEMS);
        if (route.tokens().isPresent()) {
            statuses.addAll(List.of(401, 403));
        }
        if (!SAFE.contains(method)) {
            statuses.add(403); // for pages of other origins
        }
        return statuses;
    }

    private void noteProblems(Map<String, Object> operation) {
        ((Map<?, ?>) operation.getOrDefault("responses", Map.of())).forEach((status, response) -> {
            if (((Map<?, ?>) response).containsKey("$ref")) {
                problems.add(Integer.valueOf(status.toString()));
            }
        });
    }

    private String id(String wanted) {
        String id = wanted;
        for (int i = 2; !ids.add(id); i++) {
            id = wanted + '-' + i;
        }
        return id;
    }

    private List<Object> pathParameters(RouteConfig route, ApiPath path) {
        List<Segment> captures = route.path().segments().stream()
                .filter(segment -> !(segment instanceof Literal)).toList();
        var parameters = new ArrayList<Object>();
        for (int i = 0; i < captures.size(); i++) {
            boolean isRest = !(captures.get(i) instanceof Capture);
            Map<String, Object> parameter = Schemas.of("name", path.names().get(i), "in", "path",
                    "required", true);
            if (isRest) {
                parameter.put("description", "The rest of the path: any number of segments");
            }
            parameter.put("schema", pathSchema(route, captures.get(i)));
            parameters.add(parameter);
        }
        return parameters;
    }

    private Map<String, Object> pathSchema(RouteConfig route, Segment segment) {
        if (route.handler() instanceof HandlerConfig.Query query && segment instanceof Capture(String name)) {
            ParameterConfig parameter = query.parameters().get(name);
            if (parameter != null && parameter.type().scalar() != ScalarType.TEXT
                    && parameter.from().orElse(Source.PATH) == Source.PATH) {
                Map<String, Object> schema =
                        new Schemas(database(query).isFor("postgresql")).ofText(parameter);
                if ("string".equals(schema.get("type"))) {
                    schema.put("minLength", 1);
                }
                return schema;
            }
        }
        return Schemas.of("type", "string", "minLength", 1, "pattern", Schemas.SEGMENT);
    }

    private static Map<String, Object> limits(RouteConfig route) {
        Map<String, Object> limits = Schemas.of("maxBodyBytes", route.maxBody().bytes());
        route.deadline().ifPresent(time -> limits.put("deadlineMs", time.toMillis()));
        return limits;
    }
}
