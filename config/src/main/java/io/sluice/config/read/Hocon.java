package io.sluice.config.read;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import org.jspecify.annotations.Nullable;

/** Reads HOCON values that may be missing or of another type. */
final class Hocon {

    private Hocon() {
    }

    /** Returns the value at a path; null if there is none. */
    static @Nullable ConfigValue at(String path, ConfigObject root) {
        ConfigValue value = root;
        for (String key : ConfigUtil.splitPath(path)) {
            value = object(value).get(key);
        }
        return value;
    }

    static boolean isSet(@Nullable ConfigValue value) {
        return value != null && value.valueType() != ConfigValueType.NULL;
    }

    /** Returns the value as an object; an empty one if it is none. */
    static ConfigObject object(@Nullable ConfigValue value) {
        return value instanceof ConfigObject object ? object : ConfigFactory.empty().root();
    }

    /** Returns the value as a text; an empty one if it is none. */
    static String text(@Nullable ConfigValue value) {
        return value != null && value.unwrapped() instanceof String text ? text : "";
    }
}
