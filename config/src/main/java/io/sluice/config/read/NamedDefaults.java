package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import java.util.Map;

/** Merges the {@code …-defaults} into each named entry, and into the objects in it. */
record NamedDefaults(DefaultSections defaults, Plugins plugins) {

    /** Returns the configuration with complete entries and without {@code …-defaults}. */
    ConfigObject complete(ConfigObject root) {
        return defaults.removedFrom(complete(GatewayConfig.class, root));
    }

    private ConfigObject complete(Class<?> section, ConfigObject object) {
        ConfigObject complete = object;
        for (Member member : plugins.keys(section)) {
            ConfigValue value = complete.get(member.key());
            Class<?> of = member.section();
            if (member.type().isSealed()) {
                Class<?> kind = plugins.kinds(member.type()).get(Hocon.text(value));
                complete = kind == null ? complete : complete(kind, complete);
            } else if (of != null && value instanceof ConfigObject within) {
                complete = complete.withValue(member.key(),
                        member.isMap() ? entries(member, of, within) : with(member, of, within));
            }
        }
        return complete;
    }

    private ConfigObject entries(Member member, Class<?> section, ConfigObject entries) {
        ConfigObject complete = entries;
        for (Map.Entry<String, ConfigValue> entry : entries.entrySet()) {
            if (entry.getValue() instanceof ConfigObject object) {
                complete = complete.withValue(entry.getKey(), with(member, section, object));
            }
        }
        return complete;
    }

    /**
     * Merges the defaults of the entry's kind, which precede, and those of all kinds. The origin of the
     * result is that of the user's entry.
     */
    private ConfigObject with(Member member, Class<?> section, ConfigObject object) {
        ConfigObject with = object;
        for (Member kind : Member.of(section)) {
            if (kind.type().isSealed()) {
                with = with.withFallback(Hocon.object(
                        defaults.of(kind).get(Hocon.text(object.get(kind.key())))));
            }
        }
        return complete(section, with.withFallback(defaults.of(member)))
                .withOrigin(object.origin());
    }
}
