package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CorsConfig;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.SocketConfig;
import io.sluice.config.TopicsConfig;
import java.util.Map;

/** Reads the {@code …-defaults} themselves: a mistake in one is found even where nothing uses it. */
final class DefaultsCheck {
    private final ConfigProblems problems;
    private final ConfigBinder binder;

    DefaultsCheck(ConfigProblems problems) {
        this.problems = problems;
        this.binder = new ConfigBinder(problems);
    }

    void check(ConfigObject root, String path) {
        inspect(root, path, "database-defaults", DatabaseConfig.class);
        inspect(root, path, "route-defaults", RouteConfig.class);
        inspect(root, path, "parameter-defaults", ParameterConfig.class);
        inspect(root, path, "topics-defaults", TopicsConfig.class);
        inspect(root, path, "socket-defaults", SocketConfig.class);
        inspect(root, path, "compression-defaults", CompressionConfig.class);
        inspect(root, path, "cors-defaults", CorsConfig.class);
        if (root.get("offload") instanceof ConfigObject offload) {
            inspect(offload, path + ".offload", "pool-defaults", PoolConfig.class);
        }
        Map<String, Class<?>> kinds = ConfigBinder.kinds(HandlerConfig.class);
        String handlers = path + ".handler-defaults";
        ConfigObject byKind = section(root, path, "handler-defaults");
        byKind.forEach((kind, value) -> {
            if (kinds.containsKey(kind)) {
                inspect(byKind, handlers, kind, RouteConfig.class, kinds.get(kind));
            } else {
                problems.unknown(value, handlers, kind, "handler", kinds.keySet());
            }
        });
    }

    private void inspect(ConfigObject parent, String path, String key, Class<?>... types) {
        binder.inspect(section(parent, path, key), path + '.' + key, types);
    }

    private ConfigObject section(ConfigObject parent, String path, String key) {
        ConfigValue value = parent.get(key);
        if (value != null && !(value instanceof ConfigObject)) {
            problems.wrong(value, path + '.' + key, ConfigProblems.OBJECT);
        }
        return NamedDefaults.object(parent, key);
    }
}
