package io.sluice.config.read;

import io.sluice.config.TransportKind;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
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
            case Duration duration -> text(duration);
            case Enum<?> constant -> word(constant);
            case Collection<?> several -> several.stream().map(PlainValues::of).toList();
            default -> Keys.of(bound).<Object>map(PlainValues::ofEach).orElseGet(bound::toString);
        };
    }

    private static Map<String, Object> ofEach(Map<String, Object> bound) {
        var plain = new LinkedHashMap<String, Object>();
        bound.forEach((key, value) -> plain.put(key, of(value)));
        return plain;
    }

    /** Returns a duration such as {@code 250ms}, {@code 5s}, {@code 2m} or {@code 1h}. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        return !duration.equals(Duration.ofMillis(millis)) ? duration.toNanos() + "ns"
                : millis % 1000 != 0 ? millis + "ms"
                : millis % 60_000 != 0 || millis == 0 ? millis / 1000 + "s"
                : millis % 3_600_000 != 0 ? millis / 60_000 + "m"
                : millis / 3_600_000 + "h";
    }

    /** Returns a constant in kebab-case, except transports, with an underscore. */
    static String word(Object constant) {
        return constant instanceof TransportKind ? constant.toString()
                : constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
