package io.sluice.config.read;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.key.Range;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Confidential;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads scalar values: numbers, texts, booleans, durations, sizes, enums, and types with a {@code parse}. */
final class ScalarReader {
    private static final Set<ConfigValueType> NOT_SCALAR =
            EnumSet.of(ConfigValueType.OBJECT, ConfigValueType.LIST, ConfigValueType.NULL);

    private static final Pattern INNER_CAPITAL = Pattern.compile("(?<=.)[A-Z]");
    private static final Pattern DURATION = Pattern.compile("0|[-+]?[0-9.]+\\s*[a-z]+");
    private static final Pattern SIZE = Pattern.compile("[0-9]+|[0-9.]+\\s*[A-Za-z]+");

    private final ConfigProblems problems;

    ScalarReader(ConfigProblems problems) {
        this.problems = problems;
    }

    /** Returns whether a type is a scalar with a parser. */
    static boolean reads(Class<?> type) {
        return type == ByteSize.class || Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("parse"));
    }

    /** Returns the value; reports it and returns null if it is invalid. */
    @Nullable Object read(Class<?> type, @Nullable AnnotatedElement limits, ConfigValue value, String path) {
        Range range = limits == null ? null : limits.getAnnotation(Range.class);
        try {
            Object read = convert(type, value);
            if (range != null && !within(range, read)) {
                throw new IllegalArgumentException();
            }
            return read;
        } catch (com.typesafe.config.ConfigException | ArithmeticException | IllegalArgumentException e) {
            String message = e.getClass() == IllegalArgumentException.class ? e.getMessage() : null;
            String expected = message != null ? message : expected(type, limits);
            if (Confidential.class.isAssignableFrom(type)) {
                problems.wrongSecret(value, path, expected);
            } else {
                problems.wrong(value, path, expected);
            }
            return null;
        }
    }

    private static Object convert(Class<?> type, ConfigValue value) {
        if (NOT_SCALAR.contains(value.valueType())) {
            throw new IllegalArgumentException();
        }
        String text = ValueText.written(value);
        if (type == String.class) {
            return text;
        }
        if (type == int.class || type == Integer.class) {
            return Integer.valueOf(text);
        }
        if (type == boolean.class) {
            return value.atKey("v").getBoolean("v");
        }
        if (type == Duration.class) {
            return duration(value, text.strip());
        }
        if (type == ByteSize.class) {
            return size(value, text.strip());
        }
        return type.isEnum() ? constant(type, text) : parse(type, text);
    }

    private static Duration duration(ConfigValue value, String text) {
        // Java reads "NaN" and "1d" as numbers, too.
        if (!DURATION.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        return value.atKey("v").getDuration("v");
    }

    private static ByteSize size(ConfigValue value, String text) {
        // No exponents: 1e9999999KiB would be computed to its last digit.
        if (!SIZE.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        return new ByteSize(value.atKey("v").getBytes("v"));
    }

    private static Object constant(Class<?> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ValueText.word(constant).equalsIgnoreCase(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(oneOf(type, text)));
    }

    private static Object parse(Class<?> type, String text) {
        try {
            return type.getMethod("parse", String.class).invoke(null, text);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getTargetException().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " cannot be read", e);
        }
    }

    private static boolean within(Range range, Object value) {
        if (value instanceof Duration duration) {
            return duration.compareTo(Duration.ofMillis(range.min())) >= 0
                    && duration.compareTo(Duration.ofMillis(range.max())) <= 0;
        }
        long number = value instanceof ByteSize size ? size.bytes() : ((Number) value).longValue();
        return number >= range.min() && number <= range.max();
    }

    /** Returns a description of valid values, for messages. */
    String expected(Class<?> type, @Nullable AnnotatedElement limits) {
        Range range = limits == null ? null : limits.getAnnotation(Range.class);
        if (type == Duration.class) {
            String example = "a duration with its unit, such as 250ms, 5s or 2m";
            return range == null ? example
                    : example + "; " + text(range.min()) + ".." + text(range.max());
        }
        if (type == ByteSize.class) {
            String example = "a size, such as 512, 8KiB or 1MiB";
            return range == null ? example
                    : example + "; " + new ByteSize(range.min()) + ".." + new ByteSize(range.max());
        }
        if (type == int.class || type == Integer.class) {
            return range == null ? "a whole number" : range.min() + ".." + range.max();
        }
        return type == boolean.class ? "true or false"
                : type.isEnum() ? oneOf(type, "")
                : type == String.class ? "a text"
                : type == Set.class && range != null ? "a list [ … ] of " + range.min() + ".." + range.max()
                : type == Set.class ? ConfigProblems.LIST
                : reads(type) ? expected(type) : ConfigProblems.OBJECT;
    }

    /** Returns the description of valid texts by a type with a {@code parse}. */
    private static String expected(Class<?> type) {
        try {
            return (String) type.getField("EXPECTED").get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " does not say what is EXPECTED", e);
        }
    }

    private static String text(long millis) {
        return ValueText.duration(Duration.ofMillis(millis));
    }

    private static String oneOf(Class<?> type, String text) {
        return ConfigProblems.oneOf(text, Arrays.stream(type.getEnumConstants()).map(ValueText::word)
                .collect(Collectors.toList()));
    }

    ConfigValue text(String text, ConfigOrigin origin) {
        return ConfigValueFactory.fromAnyRef(text).withOrigin(origin);
    }

    static String kebab(String name) {
        return INNER_CAPITAL.matcher(name).replaceAll("-$0").toLowerCase(Locale.ROOT);
    }
}
