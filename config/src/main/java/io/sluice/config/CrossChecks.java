package io.sluice.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks what one value says of another. Values that could not be read are null here and passed over. */
final class CrossChecks {
    private final Config root;
    private final ConfigProblems problems;

    CrossChecks(Config root, ConfigProblems problems) {
        this.root = root;
        this.problems = problems;
    }

    void check(GatewayConfig config) {
        checkWatermarks(config.server());
        if (config.offload() == null || config.databases() == null || config.routes() == null) {
            return;
        }
        Set<String> pools = config.offload().pools() == null ? Set.of() : config.offload().pools().keySet();
        config.databases().forEach((name, database) -> {
            if (database != null) {
                checkReference(database.pool(), "pool", pools, "databases", name);
            }
        });
        Map<String, String> taken = new HashMap<>();
        config.routes().forEach((name, route) -> {
            if (route != null) {
                checkHandler(name, route, pools, config.databases().keySet());
                checkUnique(name, route, taken);
            }
        });
    }

    private void checkWatermarks(ServerConfig server) {
        if (server != null && server.writeBufferLow() != null && server.writeBufferHigh() != null
                && server.writeBufferLow().bytes() > server.writeBufferHigh().bytes()) {
            wrong(server.writeBufferLow(), "at most write-buffer-high, " + server.writeBufferHigh(),
                    "server", "write-buffer-low");
        }
    }

    private void checkHandler(String name, RouteConfig route, Set<String> pools, Set<String> databases) {
        switch (route.handler()) {
            case HandlerConfig.Cpu cpu -> {
                checkReference(cpu.pool(), "pool", pools, "routes", name);
                if (cpu.algorithm() == HandlerConfig.Cpu.Algorithm.FIBONACCI && cpu.defaultN() > 90) {
                    wrong(cpu.defaultN(), "0..90 for fibonacci", "routes", name, "default");
                }
            }
            case HandlerConfig.Delay delay -> {
                if (delay.mode() == HandlerConfig.Delay.Mode.BLOCKING && delay.pool() != null) {
                    checkReference(delay.pool().orElse("(none)"), "pool", pools, "routes", name);
                }
            }
            case HandlerConfig.Query query -> {
                checkReference(query.database(), "database", databases, "routes", name);
                checkParameters(name, route, query);
            }
            case null, default -> { }
        }
    }

    private void checkParameters(String name, RouteConfig route, HandlerConfig.Query query) {
        if (query.sql() == null || query.parameters() == null) {
            return;
        }
        var used = new HashSet<>(query.sql().parameters());
        for (String parameter : used) {
            if (!query.parameters().containsKey(parameter)) {
                wrong(':' + parameter, "parameters { " + parameter + " { type = … } } for it",
                        "routes", name, "sql");
            }
        }
        query.parameters().forEach((parameter, config) -> {
            if (!used.contains(parameter)) {
                problems.unknown(root.getValue(ConfigUtil.joinPath("routes", name, "parameters", parameter)),
                        path("routes", name, "parameters", parameter), "parameter", used);
            } else if (config != null && route.path() != null
                    && config.from().equals(java.util.Optional.of(ParameterConfig.Source.PATH))
                    && !route.path().captures(parameter)) {
                wrong("path", "a {" + parameter + "} in " + route.path(),
                        "routes", name, "parameters", parameter, "from");
            }
        });
    }

    private void checkUnique(String name, RouteConfig route, Map<String, String> taken) {
        if (route.path() == null || route.methods() == null) {
            return;
        }
        for (Method method : route.methods()) {
            String other = taken.putIfAbsent(method + " " + route.path().shape(), name);
            if (other != null) {
                ConfigOrigin there = origin("routes", other, "path");
                wrong(route.path(), "a path of its own; %s %s is route %s in line %d".formatted(method,
                        route.path(), other, there.lineNumber()), "routes", name, "path");
            }
        }
    }

    private void checkReference(String target, String key, Collection<String> known, String... at) {
        if (target != null && !known.contains(target)) {
            wrong(target, ConfigProblems.oneOf(target, known), at[0], at[1], key);
        }
    }

    private void wrong(Object value, String expected, String... path) {
        problems.wrong(origin(path), path(path), value, expected);
    }

    private ConfigOrigin origin(String... path) {
        String whole = ConfigUtil.joinPath(path);
        if (root.hasPath(whole)) {
            return root.getValue(whole).origin();
        }
        return root.getValue(ConfigUtil.joinPath(List.of(path).subList(0, path.length - 1))).origin();
    }

    private static String path(String... path) {
        return "sluice." + String.join(".", path);
    }
}
