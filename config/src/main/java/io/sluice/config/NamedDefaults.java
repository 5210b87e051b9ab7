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
        ConfigObject offload = object(root, "offload");
        ConfigObject pool = object(offload, "pool-defaults");
        ConfigObject database = object(root, "database-defaults");
        ConfigObject anyRoute = object(root, "route-defaults");
        return root
                .withValue("offload", each(offload, "pools", entry -> entry.withFallback(pool))
                        .withoutKey("pool-defaults"))
                .withValue("databases", each(root, "databases", entry -> entry.withFallback(database))
                        .get("databases"))
                .withValue("routes", each(root, "routes", entry -> each(
                        entry.withFallback(kind(handlers, entry)).withFallback(anyRoute),
                        "parameters", parameter -> parameter.withFallback(parameters))).get("routes"))
                .withoutKey("handler-defaults").withoutKey("parameter-defaults")
                .withoutKey("database-defaults").withoutKey("route-defaults");
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

    private static ConfigObject kind(ConfigObject handlers, ConfigObject route) {
        ConfigValue name = route.get("handler");
        return object(handlers, name == null ? "" : name.unwrapped().toString());
    }

    private static ConfigObject object(ConfigObject parent, String key) {
        return parent.get(key) instanceof ConfigObject found ? found
                : com.typesafe.config.ConfigFactory.empty().root();
    }
}
