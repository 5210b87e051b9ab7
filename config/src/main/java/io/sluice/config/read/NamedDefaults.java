package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.List;
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
        ConfigObject complete = each(root, "databases", entry -> entry.withFallback(database));
        complete = each(complete, "topics", entry -> entry.withFallback(topics));
        complete = each(complete, "routes", entry -> each(
                withinRoute(entry.withFallback(handler(handlers, entry)).withFallback(anyRoute), root),
                "parameters", parameter -> parameter.withFallback(parameters)));
        if (root.get("offload") instanceof ConfigObject offload) {
            ConfigObject pool = object(offload, "pool-defaults");
            complete = complete.withValue("offload",
                    each(offload, "pools", entry -> entry.withFallback(pool)).withoutKey("pool-defaults"));
        }
        return complete.withoutKey("handler-defaults").withoutKey("parameter-defaults")
                .withoutKey("database-defaults").withoutKey("route-defaults")
                .withoutKey("topics-defaults").withoutKey("socket-defaults")
                .withoutKey("compression-defaults")
                .withoutKey("cors-defaults");
    }

    /** Routes for sockets have settings of the socket; all may have some that are off without them. */
    private static ConfigObject withinRoute(ConfigObject route, ConfigObject root) {
        ConfigObject complete = route;
        if (kind(route).startsWith("ws-")) {
            ConfigObject defaults = object(root, "socket-defaults");
            ConfigValue socket = route.get("socket");
            complete = route.withValue("socket", socket == null ? defaults : socket.withFallback(defaults));
        }
        for (String key : List.of("compression", "cors")) {
            if (route.get(key) instanceof ConfigObject set) {
                complete = complete.withValue(key,
                        set.withFallback(object(root, key + "-defaults")).withOrigin(set.origin()));
            }
        }
        return complete;
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
