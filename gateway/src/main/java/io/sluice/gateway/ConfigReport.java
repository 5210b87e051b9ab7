package io.sluice.gateway;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.read.Plugins;
import io.sluice.config.type.Method;
import io.sluice.gateway.filter.Compression;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A summary of a valid configuration for people: its listeners and a table of its routes. */
final class ConfigReport {

    private ConfigReport() {
    }

    static String of(GatewayConfig config) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("METHODS", "PATH", "HANDLER", "RUNS ON", "DEADLINE", "TOKENS", "ROUTE"));
        config.routes().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().path().toString()))
                .forEach(entry -> rows.add(row(entry.getKey(), entry.getValue(), config)));
        boolean compresses = config.routes().values().stream()
                .anyMatch(route -> route.compression().isPresent());
        String tls = config.tls().enabled()
                ? "tls %s:%d, ".formatted(config.tls().host(), config.tls().port())
                : "";
        return "server %s:%d, %sadmin %s:%d, %d routes\n%s%s".formatted(config.server().host(),
                config.server().port(), tls, config.admin().host(), config.admin().port(), rows.size() - 1,
                table(rows), compresses ? "encodings here: " + Compression.encodings() + '\n' : "");
    }

    private static List<String> row(String name, RouteConfig route, GatewayConfig config) {
        return List.of(route.methods().stream().map(Method::name).collect(Collectors.joining(",")),
                route.path().toString(), Plugins.name(route.handler().getClass()),
                runsOn(route.handler(), config),
                route.deadline().map(time -> time.toMillis() + "ms").orElse("-"),
                route.tokens().map(tokens -> String.join(",", tokens)).orElse("-"), name);
    }

    private static String runsOn(HandlerConfig handler, GatewayConfig config) {
        return switch (handler) {
            case HandlerConfig.Query query -> "pool "
                    + Resources.require(config.databases(), query.database()).pool()
                    + ", database " + query.database();
            case HandlerConfig.Cpu cpu -> "pool " + cpu.pool() + " above " + cpu.inlineLimit();
            case HandlerConfig.Delay delay when delay.mode() == HandlerConfig.Delay.Mode.BLOCKING ->
                    "pool " + delay.pool().orElseThrow();
            case HandlerConfig.Files files -> "pool " + files.pool();
            case HandlerConfig.WsCode code -> "pool " + code.pool();
            case HandlerConfig.Proxy proxy -> "event loop, upstream " + proxy.upstream();
            case HandlerConfig.WsRpc _ -> "where the route that is asked for does";
            case HandlerConfig.Text _, HandlerConfig.Json _, HandlerConfig.Echo _, HandlerConfig.Index _,
                    HandlerConfig.Delay _, HandlerConfig.WsEcho _, HandlerConfig.WsTopic _,
                    HandlerConfig.Events _, HandlerConfig.Publish _, HandlerConfig.Openapi _,
                    HandlerConfig.Presence _ ->
                    "event loop";
            case HandlerConfig.Plugin _ -> "plug-in";
        };
    }

    private static String table(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        var table = new StringBuilder();
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
            }
            table.append(line.toString().stripTrailing()).append('\n');
        }
        return table.toString();
    }
}
