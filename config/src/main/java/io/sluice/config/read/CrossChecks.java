package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.OffloadConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.ServerConfig;
import io.sluice.config.SocketConfig;
import io.sluice.config.TokenConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.Sha256;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Checks what one value says of another. Values that could not be read are null here and passed over. */
final class CrossChecks {
    /** RFC 9110 section 5.6.2. */
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    private final ConfigObject root;
    private final ConfigProblems problems;
    private final AnswerChecks answers = new AnswerChecks(this::wrong);
    private final QueryChecks queries = new QueryChecks(this::wrong);

    CrossChecks(ConfigObject root, ConfigProblems problems) {
        this.root = root;
        this.problems = problems;
    }

    void check(GatewayConfig config) {
        checkWatermarks(config.server());
        if (config.server() != null) {
            checkHeader(config.server().serverHeader(), "server", "server-header");
        }
        if (config.tls() != null) {
            new TlsChecks(NamedDefaults.object(root, "tls"), problems).check(config.tls());
        }
        Set<String> pools = config.offload() == null ? null : names(config.offload().pools());
        if (pools != null && pools.contains("spill")) {
            wrong("spill", "another name: that is the pool which reads offload.spill",
                    "offload", "pools", "spill");
        }
        Set<String> databases = names(config.databases());
        Set<String> topics = names(config.topics());
        each(config.databases(), (name, database) ->
                checkReference(database.pool(), "pool", pools, "databases", name));
        Set<String> tokens = names(config.tokens());
        checkHashes(config.tokens());
        Map<String, String> taken = new HashMap<>();
        each(config.routes(), (name, route) -> {
            checkHandler(name, route, pools, databases);
            checkTopics(name, route, topics);
            checkSocket(name, route);
            checkCode(name, route, config.offload());
            route.tokens().orElse(Set.of()).forEach(token ->
                    checkReference(token, "tokens", tokens, "routes", name));
            answers.checkCors(name, route);
            checkUnique(name, route, taken);
        });
    }

    private static Set<String> names(Map<String, ?> map) {
        return map == null ? null : map.keySet();
    }

    private static <T> void each(Map<String, T> map, BiConsumer<String, T> check) {
        if (map != null) {
            map.forEach((name, value) -> {
                if (value != null) {
                    check.accept(name, value);
                }
            });
        }
    }

    private void checkWatermarks(ServerConfig server) {
        if (server != null && server.writeBufferLow() != null && server.writeBufferHigh() != null
                && server.writeBufferLow().bytes() > server.writeBufferHigh().bytes()) {
            if ("reference.conf".equals(nearest("server", "write-buffer-low").origin().resource())) {
                wrong(server.writeBufferHigh(), "at least write-buffer-low, " + server.writeBufferLow(),
                        "server", "write-buffer-high");
            } else {
                wrong(server.writeBufferLow(), "at most write-buffer-high, " + server.writeBufferHigh(),
                        "server", "write-buffer-low");
            }
        }
    }

    /** RFC 9110 section 5.5, without what is only allowed for old times' sake. */
    private void checkHeader(String value, String... path) {
        if (value != null && value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            wrong(printable(value), "printable ASCII, as it becomes a header", path);
        }
    }

    private static String printable(String value) {
        return value.isEmpty() ? "\"\"" : value.replaceAll("[^ -~]", "?");
    }

    private void checkHandler(String name, RouteConfig route, Set<String> pools, Set<String> databases) {
        switch (route.handler()) {
            case HandlerConfig.Text text -> checkHeader(text.contentType(), "routes", name, "content-type");
            case HandlerConfig.Cpu cpu -> {
                checkReference(cpu.pool(), "pool", pools, "routes", name);
                if (cpu.algorithm() == HandlerConfig.Cpu.Algorithm.FIBONACCI && cpu.defaultN() > 90) {
                    wrong(cpu.defaultN(), "0..90 for fibonacci", "routes", name, "default");
                }
            }
            case HandlerConfig.Delay delay -> {
                checkReference(delay.pool().orElse(null), "pool", pools, "routes", name);
                if (delay.mode() == HandlerConfig.Delay.Mode.BLOCKING && delay.pool().isEmpty()) {
                    problems.add(nearest("routes", name, "pool"), path("routes", name, "pool")
                            + ": missing (expected: the pool whose workers sleep, or mode = timer)");
                }
            }
            case HandlerConfig.Query query -> {
                checkReference(query.database(), "database", databases, "routes", name);
                checkParameters(name, route, query);
                queries.checkMethods(name, route, query);
            }
            case HandlerConfig.Files files -> {
                checkReference(files.pool(), "pool", pools, "routes", name);
                checkHeader(files.cacheControl().orElse(null), "routes", name, "cache-control");
                answers.checkFiles(name, route, files);
            }
            case null, default -> { }
        }
    }

    private void checkTopics(String name, RouteConfig route, Set<String> topics) {
        String used = route.handler() instanceof HandlerConfig.WsTopic topic ? topic.topics()
                : route.handler() instanceof HandlerConfig.Publish publish ? publish.topics() : null;
        if (used == null) {
            return;
        }
        checkReference(used, "topics", topics, "routes", name);
        if (route.path() != null && !route.path().captures("topic")) {
            wrong(route.path(), "a path with {topic}, such as /topics/{topic}", "routes", name, "path");
        }
    }

    private void checkSocket(String name, RouteConfig route) {
        if (!(route.handler() instanceof HandlerConfig.ForSockets handler)) {
            return;
        }
        if (route.methods() != null && !route.methods().equals(Set.of(Method.GET))) {
            wrong(route.methods(), "GET alone, with which WebSockets are opened", "routes", name, "methods");
        }
        checkPatience(name, handler.socket());
        if (handler.socket() != null && handler.socket().subprotocols() != null) {
            handler.socket().subprotocols().orElse(Set.of()).stream()
                    .filter(subprotocol -> !subprotocol.matches(TOKEN))
                    .forEach(subprotocol -> wrong(printable(subprotocol), "a token, such as v2.chat",
                            "routes", name, "socket", "subprotocols"));
        }
    }

    /** Who is given up before being asked was never asked. */
    private void checkPatience(String name, SocketConfig socket) {
        if (socket == null || socket.pingInterval() == null || socket.idleTimeout() == null
                || socket.pingInterval().compareTo(socket.idleTimeout()) < 0) {
            return;
        }
        ConfigValue ping = nearest("routes", name, "socket", "ping-interval");
        ConfigValue idle = nearest("routes", name, "socket", "idle-timeout");
        if ("reference.conf".equals(ping.origin().resource())) {
            problems.add(idle, "%s: %s (expected: more than ping-interval, %s)".formatted(
                    path("routes", name, "socket", "idle-timeout"), idle.unwrapped(), ping.unwrapped()));
        } else {
            problems.add(ping, "%s: %s (expected: less than idle-timeout, %s)".formatted(
                    path("routes", name, "socket", "ping-interval"), ping.unwrapped(), idle.unwrapped()));
        }
    }

    /** A program that its deadline ends has no result to tell that it took too long. */
    private void checkCode(String name, RouteConfig route, OffloadConfig offload) {
        if (!(route.handler() instanceof HandlerConfig.WsCode code)) {
            return;
        }
        Map<String, PoolConfig> pools = offload == null ? null : offload.pools();
        checkReference(code.pool(), "pool", names(pools), "routes", name);
        Duration wallTime = code.program() == null ? null : code.program().wallTime();
        PoolConfig pool = pools == null ? null : pools.get(code.pool());
        if (wallTime == null) {
            return;
        }
        String[] at = {"routes", name, "program", "wall-time"};
        if (route.deadline() != null && wallTime.compareTo(route.deadline()) >= 0) {
            wrong(nearest(at).unwrapped(), "less than the route's deadline, "
                    + nearest("routes", name, "deadline").unwrapped(), at);
        } else if (pool != null && pool.deadline() != null && wallTime.compareTo(pool.deadline()) >= 0) {
            wrong(nearest(at).unwrapped(), "less than the deadline of pool " + code.pool() + ", "
                    + nearest("offload", "pools", code.pool(), "deadline").unwrapped(), at);
        }
    }

    /** A token with two names: whose would it be? */
    private void checkHashes(Map<String, TokenConfig> tokens) {
        Map<Sha256, String> taken = new HashMap<>();
        each(tokens, (name, token) -> {
            String other = token.sha256() == null ? null : taken.putIfAbsent(token.sha256(), name);
            if (other != null) {
                wrong("that of " + other, "of a token of its own", "tokens", name, "sha256");
            }
        });
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
        each(query.parameters(), (parameter, config) -> {
            if (!used.contains(parameter)) {
                problems.unknown(nearest("routes", name, "parameters", parameter),
                        path("routes", name, "parameters"), parameter, "parameter", used);
            } else if (route.path() != null && !route.path().captures(parameter)
                    && config.from().equals(Optional.of(ParameterConfig.Source.PATH))) {
                wrong("path", "a {" + parameter + "} in " + route.path(),
                        "routes", name, "parameters", parameter, "from");
            }
            checkDefault(config, "routes", name, "parameters", parameter, "default");
        });
    }

    private void checkDefault(ParameterConfig parameter, String... path) {
        if (parameter.type() == null || parameter.defaultText() == null) {
            return;
        }
        parameter.defaultText().ifPresent(text -> {
            try {
                parameter.type().parse(text);
            } catch (IllegalArgumentException e) {
                wrong(text, e.getMessage(), path);
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
                int line = nearest("routes", other, "path").origin().lineNumber();
                wrong(route.path(), "a path of its own; %s %s is route %s%s".formatted(method, route.path(),
                        other, line > 0 ? " in line " + line : ""), "routes", name, "path");
                return;
            }
        }
    }

    private void checkReference(String target, String key, Collection<String> known, String... at) {
        if (target != null && known != null && !known.contains(target)) {
            String one = key.replaceFirst("s$", "");
            String expected = known.isEmpty() ? "a " + one + " that is defined; none is"
                    : ConfigProblems.oneOf(target, known);
            wrong(target.isEmpty() ? "\"\"" : target, expected, at[0], at[1], key);
        }
    }

    private void wrong(Object value, String expected, String... path) {
        problems.add(nearest(path).origin(), "%s: %s (expected: %s)".formatted(path(path), value, expected));
    }

    /** The value at a path, or the innermost that is there on the way to it. */
    private ConfigValue nearest(String... path) {
        ConfigValue value = root;
        for (String key : path) {
            if (!(value instanceof ConfigObject object) || object.get(key) == null) {
                break;
            }
            value = object.get(key);
        }
        return value;
    }

    private static String path(String... path) {
        return "sluice." + ConfigUtil.joinPath(path);
    }
}
