package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.GatewayConfig;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a running gateway, from the JSON of its admin port. Secrets are masked in it, so
 * changes of secrets are not detected.
 *
 * @param sections the sections under {@code sluice}
 * @param sockets the number of open WebSockets by the names of routes
 */
public record RunningConfig(Map<String, Object> sections, Map<String, Integer> sockets) {
    /** The keys of a route whose changes close its WebSockets. */
    private static final List<String> CLOSING = List.of("path", "handler", "topics");

    /**
     * Parses the response of {@code GET /config}.
     *
     * @throws IllegalArgumentException if the text is not such a response
     */
    public static RunningConfig parse(String json) {
        try {
            Config answer = parsed(json);
            var sockets = new LinkedHashMap<String, Integer>();
            answer.getObject("sockets").unwrapped().forEach((route, open) ->
                    sockets.put(route, ((Number) open).intValue()));
            return new RunningConfig(answer.getObject(ConfigLoader.ROOT).unwrapped(), sockets);
        } catch (com.typesafe.config.ConfigException | ClassCastException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Config parsed(String json) {
        return ConfigFactory.parseString(json, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    }

    /** Returns the changes to another configuration, in the order of the paths. */
    public ConfigDiff changesTo(GatewayConfig next) {
        return new ConfigDiff(ConfigDiff.ofSections(sections, plain(next)).changes().stream()
                .sorted(Comparator.comparing(ConfigDiff.Change::path)).toList());
    }

    /**
     * Returns the number of WebSockets that a reload would close, by the names of routes; only those above 0.
     */
    public Map<String, Integer> socketsClosedBy(GatewayConfig next) {
        Map<?, ?> now = routes(sections);
        Map<?, ?> then = routes(plain(next));
        var closed = new LinkedHashMap<String, Integer>();
        sockets.forEach((route, open) -> {
            if (open > 0 && !stays(now.get(route), then.get(route))) {
                closed.put(route, open);
            }
        });
        return closed;
    }

    private static boolean stays(@Nullable Object now, @Nullable Object then) {
        return now instanceof Map<?, ?> before && then instanceof Map<?, ?> after
                && CLOSING.stream().allMatch(key -> Objects.equals(before.get(key), after.get(key)));
    }

    private static Map<?, ?> routes(Map<String, Object> sections) {
        return sections.get("routes") instanceof Map<?, ?> routes ? routes : Map.of();
    }

    /** Returns the sections as JSON has them, with masked secrets. */
    private static Map<String, Object> plain(GatewayConfig config) {
        Object values = PlainValues.of(config);
        return parsed(ConfigValueFactory.fromAnyRef(Map.of(ConfigLoader.ROOT, values))
                .render(ConfigRenderOptions.concise())).getObject(ConfigLoader.ROOT).unwrapped();
    }
}
