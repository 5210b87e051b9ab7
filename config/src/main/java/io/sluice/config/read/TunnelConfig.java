package io.sluice.config.read;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.key.Ref;
import io.sluice.config.topic.TopicsConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration of a route that its tunnels and endless responses, once open, cannot follow: a reload
 * that changes it drains them.
 *
 * @param path the path of the route
 * @param handler the kind of its handler
 * @param bound the part of the handler's configuration, {@link HandlerConfig#boundToTunnels}
 * @param used the configuration of resources that an open tunnel uses itself
 */
public record TunnelConfig(String path, String handler, Object bound, List<Object> used) {

    /** Returns the tunnel configuration of a route. */
    public static TunnelConfig of(GatewayConfig config, RouteConfig route) {
        HandlerConfig handler = route.handler();
        return new TunnelConfig(route.path().toString(), handler.getClass().getName(),
                handler.boundToTunnels(), used(config, route));
    }

    private static List<Object> used(GatewayConfig config, RouteConfig route) {
        return switch (route.handler()) {
            case HandlerConfig.WsTopic topic -> List.of(carrier(config, topic.topics()));
            case HandlerConfig.Events events -> List.of(carrier(config, events.topics()));
            case HandlerConfig.Query query when query.live().isPresent() -> {
                DatabaseConfig database = named(query.database(), config.databases());
                yield List.of(carrier(config, query.live().get().topics()), database,
                        named(database.pool(), config.offload().pools()), route.deadline());
            }
            case HandlerConfig.Plugin plugin -> List.copyOf(pools(config, (Record) plugin));
            case HandlerConfig.Query _, HandlerConfig.Text _, HandlerConfig.Json _, HandlerConfig.Echo _,
                    HandlerConfig.Index _, HandlerConfig.Openapi _, HandlerConfig.Cpu _,
                    HandlerConfig.Delay _, HandlerConfig.Files _, HandlerConfig.Proxy _,
                    HandlerConfig.WsEcho _, HandlerConfig.WsCode _, HandlerConfig.WsRpc _,
                    HandlerConfig.Publish _, HandlerConfig.Presence _ -> List.of();
        };
    }

    /**
     * Returns the configuration of the bus that carries the messages of a set of topics, and of its presence,
     * on both of which its topics depend.
     */
    public static Object carrier(GatewayConfig config, String set) {
        TopicsConfig topics = named(set, config.topics());
        var carrier = new ArrayList<>();
        topics.bus().ifPresent(bus -> carrier.addAll(List.of(bus, named(bus, config.buses()))));
        topics.presence().ifPresent(carrier::add);
        return carrier;
    }

    /** Returns the configuration of the pools that a plug-in's handler names. */
    private static List<Object> pools(GatewayConfig config, Record plugin) {
        return Member.of(plugin.getClass()).stream().filter(TunnelConfig::namesPools)
                .flatMap(member -> names(member.of(plugin)))
                .<Object>map(pool -> List.of(pool, named(pool, config.offload().pools()))).toList();
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

    private static <T> T named(String name, Map<String, T> all) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("%s (expected: one of %s)".formatted(name, all.keySet()));
        }
        return found;
    }

    /** Returns a text that is equal for equal values, in each process. Secrets are masked in it. */
    String fingerprint() {
        return ConfigHash.of(List.of(path, handler, bound, used));
    }
}
