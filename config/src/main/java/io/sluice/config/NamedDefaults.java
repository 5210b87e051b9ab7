package io.sluice.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.function.Function;

/** Puts the {@code …-defaults} under each named pool, database, route and parameter. */
final class NamedDefaults {

    private NamedDefaults() {
    }

    /** The tree with every named thing complete and the {@code …-defaults} gone. */
    static ConfigObject apply(ConfigObject root) {
        ConfigObject handlers = object(root, "handler-defaults");
        ConfigObject parameters = object(root, "parameter-defaults");
        ConfigObject database = object(root, "database-defaults");
        ConfigObject anyRoute = object(root, "route-defaults");
        ConfigObject topics = object(root, "topics-defaults");
        ConfigObject socket = object(root, "socket-defaults");
        ConfigObject complete = each(root, "databases", entry -> entry.withFallback(database));
        complete = each(complete, "topics", entry -> entry.withFallback(topics));
        complete = each(complete, "routes", entry -> each(
                withSocket(entry.withFallback(handler(handlers, entry)).withFallback(anyRoute), socket),
                "parameters", parameter -> parameter.withFallback(parameters)));
        if (root.get("offload") instanceof ConfigObject offload) {
            ConfigObject pool = object(offload, "pool-defaults");
            complete = complete.withValue("offload",
                    each(offload, "pools", entry -> entry.withFallback(pool)).withoutKey("pool-defaults"));
        }
        return complete.withoutKey("handler-defaults").withoutKey("parameter-defaults")
                .withoutKey("database-defaults").withoutKey("route-defaults")
                .withoutKey("topics-defaults").withoutKey("socket-defaults");
    }

    /** Routes for sockets have settings of the socket too. */
    private static ConfigObject withSocket(ConfigObject route, ConfigObject defaults) {
        if (!kind(route).startsWith("ws-")) {
            return route;
        }
        ConfigValue socket = route.get("socket");
        return socket != null ? route.withValue("socket", socket.withFallback(defaults))
                : route.withValue("socket", defaults);
    }

    private static ConfigObject each(ConfigObject parent, String key,
                                     Function<ConfigObject, ConfigObject> to) {
        if (!(parent.get(key) instanceof ConfigObject children)) {
            return parent;
        }
        ConfigObject changed = children;
        for (Map.Entry<String, ConfigValue> child : children.entrySet()) {
            if (child.getValue() instanceof ConfigObject object) {
                // Fallbacks merge origins; the entry keeps the place where its user wrote it.
                changed = changed.withValue(child.getKey(), to.apply(object).withOrigin(object.origin()));
            }
        }
        return parent.withValue(key, changed.withOrigin(children.origin()));
    }

    private static ConfigObject handler(ConfigObject handlers, ConfigObject route) {
        return object(handlers, kind(route));
    }

    private static String kind(ConfigObject route) {
        return route.get("handler") instanceof ConfigValue name
                && name.unwrapped() instanceof String kind ? kind : "";
    }

    /** The object at a key, empty where there is none. */
    static ConfigObject object(ConfigObject parent, String key) {
        return parent.get(key) instanceof ConfigObject found ? found
                : com.typesafe.config.ConfigFactory.empty().root();
    }
}
