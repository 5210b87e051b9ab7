package io.sluice.config.read;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;

/** Looks at HOCON values that may be missing, or of another type than expected. */
final class Hocon {

    private Hocon() {
    }

    /** What is written at a path; null where nothing is. */
    static ConfigValue at(String path, ConfigObject root) {
        ConfigValue value = root;
        for (String key : ConfigUtil.splitPath(path)) {
            value = object(value).get(key);
        }
        return value;
    }

    static boolean isSet(ConfigValue value) {
        return value != null && value.valueType() != ConfigValueType.NULL;
    }

    /** The object that a value is, or an empty one. */
    static ConfigObject object(ConfigValue value) {
        return value instanceof ConfigObject object ? object : ConfigFactory.empty().root();
    }

    /** The text that a value is, or an empty one. */
    static String text(ConfigValue value) {
        return value != null && value.unwrapped() instanceof String text ? text : "";
    }
}
