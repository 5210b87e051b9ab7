package io.sluice.config.check;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import io.sluice.config.type.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Checks routes, by rules for all of them and for their kinds. */
final class RouteChecks {
    /** The statuses of responses that need fields of their own (RFC 9110 section 15). */
    private static final Set<Integer> INCOMPLETE = Set.of(206, 401, 405, 407, 426);

    private final GatewayConfig config;
    private final Setting root;
    /** Names of routes by their methods and paths. */
    private final Map<String, String> taken = new HashMap<>();

    RouteChecks(GatewayConfig config, Setting root) {
        this.config = config;
        this.root = root;
    }

    void check(String name, RouteConfig route) {
        Setting at = root.at("routes").at(name);
        checkMethods(route, at.at("methods"));
        checkKind(route, at);
        if (route.handler() instanceof HandlerConfig.ForSockets handler) {
            SocketChecks.check(route, handler.socket(), at);
        }
        route.cors().ifPresent(cors -> CorsChecks.check(cors, at.at("cors")));
        checkUnique(name, route, at.at("path"));
    }

    /** Only an upstream may know methods that this gateway does not. */
    private static void checkMethods(RouteConfig route, Setting at) {
        if (route.methods() == null || route.handler() instanceof HandlerConfig.Proxy) {
            return;
        }
        route.methods().stream().filter(method -> !Method.STANDARD.contains(method)).forEach(method ->
                at.wrong(method, ConfigProblems.oneOf(method.name(),
                        Method.STANDARD.stream().map(Method::name).toList())));
    }

    /** Requires that a fixed response of this status is complete without further header fields. */
    private static void checkStatus(int status, Setting at) {
        if (INCOMPLETE.contains(status)) {
            at.wrong(status, "none of 206, 401, 405, 407 and 426, which need further header fields");
        }
    }

    private void checkKind(RouteConfig route, Setting at) {
        switch (route.handler()) {
            case null -> { }
            case HandlerConfig.Text text -> {
                HeaderText.check(text.contentType(), at.at("content-type"));
                checkStatus(text.status(), at.at("status"));
            }
            case HandlerConfig.Json json -> checkStatus(json.status(), at.at("status"));
            case HandlerConfig.Cpu cpu -> checkCpu(cpu, at);
            case HandlerConfig.Delay delay -> checkDelay(delay, at);
            case HandlerConfig.Query query -> {
                QueryChecks.check(route, query, at);
                ResultChecks.check(query, at);
                DatabaseChecks.checkReadOnly(query, at.at("read-only"), config.databases());
                DatabaseChecks.checkErrors(query, at, config.databases());
                BulkChecks.check(query, at);
                new SelectionChecks(query, at).check(config.databases());
                new WriteChecks(query, at).check(config.databases());
                query.live().ifPresent(live -> LiveChecks.check(route, query, live, at.at("live")));
            }
            case HandlerConfig.Files files -> FilesChecks.check(route, files, at);
            case HandlerConfig.WsTopic _, HandlerConfig.Events _, HandlerConfig.Publish _ ->
                    checkTopic(route, at);
            case HandlerConfig.Presence presence -> {
                checkTopic(route, at);
                TopicChecks.checkPresence(config.topics() == null ? null
                        : config.topics().get(presence.topics()), at.at("topics"));
            }
            case HandlerConfig.WsCode code -> CodeChecks.check(route, code, config.offload(), root, at);
            case HandlerConfig.Proxy proxy -> ProxyChecks.check(route, proxy, at);
            case HandlerConfig.Echo _, HandlerConfig.Index _, HandlerConfig.Openapi _,
                    HandlerConfig.WsEcho _, HandlerConfig.WsRpc _, HandlerConfig.Plugin _ -> { }
        }
    }

    private static void checkCpu(HandlerConfig.Cpu cpu, Setting at) {
        if (cpu.algorithm() == HandlerConfig.Cpu.Algorithm.FIBONACCI && cpu.defaultN() > cpu.maxN()) {
            at.at("default").wrong(cpu.defaultN(), "0.." + cpu.maxN() + " for fibonacci");
        }
    }

    private static void checkDelay(HandlerConfig.Delay delay, Setting at) {
        if (delay.mode() == HandlerConfig.Delay.Mode.BLOCKING && delay.pool().isEmpty()) {
            at.at("pool").missing("the pool whose workers sleep, or mode = timer");
        }
        if (delay.duration() != null && delay.max() != null && delay.duration().compareTo(delay.max()) > 0) {
            boolean isDefault = at.at("duration").isDefault();
            at.at(isDefault ? "max" : "duration").wrong(isDefault
                    ? "at least duration, " + ValueText.duration(delay.duration())
                    : "at most max, " + ValueText.duration(delay.max()));
        }
    }

    private static void checkTopic(RouteConfig route, Setting at) {
        if (route.path() != null && !route.path().captures("topic")) {
            at.at("path").wrong(route.path(), "a path with {topic}, such as /topics/{topic}");
        }
    }

    private void checkUnique(String name, RouteConfig route, Setting path) {
        if (route.path() == null || route.methods() == null) {
            return;
        }
        for (Method method : route.methods()) {
            String other = taken.putIfAbsent(method + " " + route.path().shape(), name);
            if (other != null) {
                path.wrong(route.path(), "a path of its own; %s %s is route %s%s".formatted(method,
                        route.path(), other, root.at("routes").at(other).at("path").placeFor(path)));
                return;
            }
        }
    }
}
