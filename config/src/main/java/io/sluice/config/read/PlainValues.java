package io.sluice.config.read;

import io.sluice.config.problem.ValueText;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts bound values to those of HOCON and JSON: texts, numbers, booleans, lists and maps. Confidential
 * ones are masked.
 */
final class PlainValues {

    private PlainValues() {
    }

    static @Nullable Object of(@Nullable Object bound) {
        return switch (bound) {
            case null -> null;
            case Boolean flag -> flag;
            case Number number -> number;
            case Duration duration -> ValueText.duration(duration);
            case Enum<?> constant -> ValueText.word(constant);
            case Collection<?> several -> several.stream().map(PlainValues::of).toList();
            default -> Keys.of(bound).<Object>map(PlainValues::ofEach).orElseGet(bound::toString);
        };
    }

    private static Map<String, Object> ofEach(Map<String, Object> bound) {
        var plain = new LinkedHashMap<String, Object>();
        bound.forEach((key, value) -> plain.put(key, of(value)));
        return plain;
    }
}
