package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.GatewayConfig;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The configuration of a running gateway, from the JSON of its admin port. Secrets are masked in it, so
 * changes of secrets are not detected.
 *
 * @param sections the sections under {@code sluice}
 * @param sockets the open tunnels, by the names of routes
 */
public record RunningConfig(Map<String, Object> sections, Map<String, RunningTunnels> sockets) {
    /**
     * Parses the response of {@code GET /config}.
     *
     * @throws IllegalArgumentException if the text is not such a response
     */
    public static RunningConfig parse(String json) {
        try {
            Config answer = parsed(json);
            var sockets = new LinkedHashMap<String, RunningTunnels>();
            answer.getObject("sockets").forEach((route, open) ->
                    sockets.put(route, RunningTunnels.ofJson(((ConfigObject) open).toConfig())));
            return new RunningConfig(answer.getObject(ConfigLoader.ROOT).unwrapped(), sockets);
        } catch (com.typesafe.config.ConfigException | ClassCastException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Config parsed(String json) {
        return ConfigFactory.parseString(json, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    }

    /** Returns how many tunnels are open. */
    public int open() {
        return sockets.values().stream().mapToInt(RunningTunnels::open).sum();
    }

    /** Returns the changes to another configuration, in the order of the paths. */
    public ConfigDiff changesTo(GatewayConfig next) {
        return new ConfigDiff(ConfigDiff.ofSections(sections, plain(next)).changes().stream()
                .sorted(Comparator.comparing(ConfigDiff.Change::path)).toList());
    }

    /**
     * Returns the number of tunnels that a reload would close, by the names of routes, in their order; only
     * those above 0.
     */
    public Map<String, Integer> socketsClosedBy(GatewayConfig next) {
        var closed = new TreeMap<String, Integer>();
        sockets.forEach((route, tunnels) -> {
            int closing = tunnels.closedBy(next, next.routes().get(route));
            if (closing > 0) {
                closed.put(route, closing);
            }
        });
        return closed;
    }

    /** Returns the sections as JSON has them, with masked secrets. */
    private static Map<String, Object> plain(GatewayConfig config) {
        Object values = PlainValues.of(config);
        return parsed(ConfigValueFactory.fromAnyRef(Map.of(ConfigLoader.ROOT, values))
                .render(ConfigRenderOptions.concise())).getObject(ConfigLoader.ROOT).unwrapped();
    }
}
