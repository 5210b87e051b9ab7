package io.sluice.config.read;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists the keys and values of a bound section. */
final class Keys {

    private Keys() {
    }

    /**
     * Returns the keys of a record or map, with null for values that are not set; empty for a single value.
     */
    @SuppressWarnings("unchecked")
    static Optional<Map<String, Object>> of(@Nullable Object bound) {
        if (bound instanceof Map<?, ?> map) {
            return Optional.of((Map<String, Object>) map);
        }
        if (bound instanceof Record section && Member.isSection(section.getClass())) {
            var keys = new LinkedHashMap<String, Object>();
            putAll(section, keys);
            return Optional.of(keys);
        }
        return Optional.empty();
    }

    private static void putAll(Record section, Map<String, Object> keys) {
        for (Member member : Member.of(section.getClass())) {
            Object value = member.of(section);
            if (member.type().isSealed()) {
                keys.put(member.key(), Plugins.name(value.getClass()));
                putAll((Record) value, keys);
            } else if (member.isOfFilters()) {
                ((List<?>) value).forEach(filter -> keys.put(Plugins.name(filter.getClass()), filter));
            } else {
                keys.put(member.key(), value instanceof Optional<?> optional ? optional.orElse(null) : value);
            }
        }
    }
}
