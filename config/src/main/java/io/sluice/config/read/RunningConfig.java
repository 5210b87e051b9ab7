package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.key.Ref;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a running gateway, from the JSON of its admin port. Secrets are masked in it, so
 * changes of secrets are not detected.
 *
 * @param sections the sections under {@code sluice}
 * @param sockets the number of open tunnels, WebSockets among them, by the names of routes
 */
public record RunningConfig(Map<String, Object> sections, Map<String, Integer> sockets) {
    /** The keys of a route whose changes close its tunnels; those of a plug-in's handler do so, too. */
    private static final List<String> CLOSING = List.of("path", "handler", "topics", "upstream");

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
     * Returns the number of tunnels that a reload would close, by the names of routes, in their order; only
     * those above 0.
     */
    public Map<String, Integer> socketsClosedBy(GatewayConfig next) {
        Map<String, Object> then = plain(next);
        var closed = new TreeMap<String, Integer>();
        sockets.forEach((route, open) -> {
            RouteConfig after = next.routes().get(route);
            boolean stays = after != null && closingKeys(route, after.handler())
                    .allMatch(path -> Objects.equals(at(path, sections), at(path, then)));
            if (open > 0 && !stays) {
                closed.put(route, open);
            }
        });
        return closed;
    }

    /** Returns the paths of the keys whose changes close the tunnels of a route. */
    private static Stream<List<String>> closingKeys(String route, HandlerConfig handler) {
        Stream<String> own = CLOSING.stream();
        Stream<String> pools = Stream.empty();
        if (handler instanceof HandlerConfig.Plugin plugin) {
            List<Member> members = Member.of(plugin.getClass());
            own = Stream.concat(own, members.stream().map(Member::key));
            pools = members.stream().filter(RunningConfig::namesPools)
                    .flatMap(member -> names(member.of((Record) plugin)));
        }
        return Stream.concat(own.map(key -> List.of("routes", route, key)),
                pools.map(pool -> List.of("offload", "pools", pool)));
    }

    private static boolean namesPools(Member member) {
        Ref ref = member.component().getAnnotation(Ref.class);
        return ref != null && ref.value().equals("offload.pools");
    }

    private static Stream<String> names(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional.stream().map(Object::toString);
            case Collection<?> several -> several.stream().map(Object::toString);
            default -> Stream.of(value.toString());
        };
    }

    private static @Nullable Object at(List<String> path, Map<String, Object> sections) {
        Object found = sections;
        for (String key : path) {
            found = found instanceof Map<?, ?> section ? section.get(key) : null;
        }
        return found;
    }

    /** Returns the sections as JSON has them, with masked secrets. */
    private static Map<String, Object> plain(GatewayConfig config) {
        Object values = PlainValues.of(config);
        return parsed(ConfigValueFactory.fromAnyRef(Map.of(ConfigLoader.ROOT, values))
                .render(ConfigRenderOptions.concise())).getObject(ConfigLoader.ROOT).unwrapped();
    }
}
