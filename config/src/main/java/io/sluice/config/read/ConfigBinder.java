package io.sluice.config.read;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.Key;
import io.sluice.config.Range;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Binds HOCON objects to records: a record component's name, in kebab-case, is its key, and its type
 * says what the value must be. A mistake is noted, bound as {@code null}, and the rest read on.
 */
public final class ConfigBinder {
    /** Among the known keys: a kind that is not known may have any key. */
    private static final String ANY = "*";
    /** Looked up once: each look reads the class file's annotations and signatures anew. */
    private static final ClassValue<List<Member>> MEMBERS = new ClassValue<>() {
        @Override
        protected List<Member> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(Member::new).toList();
        }
    };

    private final ConfigProblems problems;
    private final ScalarReader scalars;

    /** A component of a record, and the key that it is read from. */
    private record Member(RecordComponent component, String key) {
        Member(RecordComponent component) {
            this(component, component.isAnnotationPresent(Key.class)
                    ? component.getAnnotation(Key.class).value() : ScalarReader.kebab(component.getName()));
        }

        Class<?> type() {
            return component.getType();
        }
    }

    public ConfigBinder(ConfigProblems problems) {
        this.problems = problems;
        this.scalars = new ScalarReader(problems);
    }

    public <T> T bind(Class<T> type, ConfigObject object, String path) {
        Set<String> known = new TreeSet<>();
        T bound = construct(type, object, path, known);
        if (!known.contains(ANY)) {
            reportUnknown(object, path, known);
        }
        return bound;
    }

    /**
     * Reads those keys of the records that are there, for the mistakes in them. What is in a map waits
     * until its elements are complete.
     */
    void inspect(ConfigObject object, String path, Class<?>... types) {
        Set<String> known = new TreeSet<>();
        Stream.of(types).flatMap(type -> MEMBERS.get(type).stream())
                .filter(member -> !member.type().isSealed() && known.add(member.key))
                .filter(member -> member.type() != Map.class && isSet(object.get(member.key)))
                .forEach(member -> inspect(member, object, path, known));
        reportUnknown(object, path, known);
    }

    /** An object within is as incomplete as what it stands in. */
    private void inspect(Member member, ConfigObject object, String path, Set<String> known) {
        Class<?> type = member.type() == Optional.class
                && ((ParameterizedType) member.component.getGenericType()).getActualTypeArguments()[0]
                instanceof Class<?> within ? within : member.type();
        if (isPlainRecord(type) && object.get(member.key) instanceof ConfigObject child) {
            inspect(child, path + '.' + member.key, type);
        } else {
            component(member, object, path, known);
        }
    }

    private boolean isPlainRecord(Class<?> type) {
        return type.isRecord() && !scalars.reads(type);
    }

    private <T> T construct(Class<T> type, ConfigObject object, String path, Set<String> known) {
        List<Member> members = MEMBERS.get(type);
        Object[] values = new Object[members.size()];
        Class<?>[] types = new Class<?>[values.length];
        for (int i = 0; i < values.length; i++) {
            types[i] = members.get(i).type();
            values[i] = types[i].isSealed() ? variant(types[i], object, path, known)
                    : component(members.get(i), object, path, known);
            if (values[i] == null && types[i].isPrimitive()) {
                values[i] = types[i] == boolean.class ? (Object) false : (Object) 0;
            }
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " cannot be bound", e);
        }
    }

    private Object component(Member member, ConfigObject object, String path, Set<String> known) {
        known.add(member.key);
        ConfigValue value = object.get(member.key);
        String at = path + '.' + member.key;
        if (isSet(value)) {
            return value(member.component.getGenericType(), member.component, value, at);
        }
        if (member.type() == Optional.class) {
            return Optional.empty();
        }
        String expected = scalars.expected(member.type(), member.component);
        return value != null ? wrong(value, at, expected) : missing(object, at, expected);
    }

    private Object value(Type type, AnnotatedElement limits, ConfigValue value, String path) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return Optional.ofNullable(value(of[0], limits, value, path));
            }
            return generic.getRawType() == Map.class ? map(of[1], value, path)
                    : set(of[0], limits, value, path);
        }
        Class<?> plain = (Class<?>) type;
        if (isPlainRecord(plain)) {
            return value instanceof ConfigObject object ? bind(plain, object, path)
                    : wrong(value, path, ConfigProblems.OBJECT);
        }
        return scalars.read(plain, limits, value, path);
    }

    private Map<String, Object> map(Type of, ConfigValue value, String path) {
        if (!(value instanceof ConfigObject object)) {
            return wrong(value, path, ConfigProblems.OBJECT);
        }
        if (of == Object.class) {
            return Collections.unmodifiableMap(object.unwrapped());
        }
        var map = new LinkedHashMap<String, Object>();
        object.entrySet().stream()
                .sorted((a, b) -> Integer.compare(line(a.getValue()), line(b.getValue())))
                .forEach(e -> map.put(e.getKey(),
                        value(of, null, e.getValue(), ConfigProblems.child(path, e.getKey()))));
        return Collections.unmodifiableMap(map);
    }

    /** A list, or what the command line can say: a text with commas. Empty only where it may be. */
    private Set<Object> set(Type of, AnnotatedElement limits, ConfigValue value, String path) {
        List<ConfigValue> elements = value instanceof ConfigList list ? list
                : value.unwrapped() instanceof String text ? Stream.of(text.split(","))
                        .map(part -> scalars.text(part.strip(), value.origin())).toList() : null;
        Range range = limits == null ? null : limits.getAnnotation(Range.class);
        if (elements == null || elements.size() < (range == null ? 1 : range.min())
                || range != null && elements.size() > range.max()) {
            return wrong(value, path, scalars.expected(Set.class, limits));
        }
        var set = new LinkedHashSet<>();
        for (ConfigValue element : elements) {
            Object read = value(of, null, element, path);
            if (read != null) {
                set.add(read);
            }
        }
        return Collections.unmodifiableSet(set);
    }

    /** The record of a sealed interface that the key named after the component chooses. */
    private Object variant(Class<?> sealed, ConfigObject object, String path, Set<String> known) {
        known.add("handler");
        Map<String, Class<?>> kinds = kinds(sealed);
        ConfigValue value = object.get("handler");
        String name = value != null && value.unwrapped() instanceof String text ? text : "";
        if (kinds.containsKey(name)) {
            return construct(kinds.get(name), object, path, known);
        }
        known.add(ANY);
        String expected = ConfigProblems.oneOf(name, kinds.keySet());
        return value != null ? wrong(value, path + ".handler", expected)
                : missing(object, path + ".handler", expected);
    }

    private void reportUnknown(ConfigObject object, String path, Set<String> known) {
        object.forEach((key, value) -> {
            if (!known.contains(key)) {
                problems.unknown(value, path, key, "key", known);
            }
        });
    }

    private <T> T wrong(ConfigValue value, String path, String expected) {
        problems.wrong(value, path, expected);
        return null;
    }

    private <T> T missing(ConfigObject object, String path, String expected) {
        problems.add(object.origin(), "%s: missing (expected: %s)".formatted(path, expected));
        return null;
    }

    private static boolean isSet(ConfigValue value) {
        return value != null && value.valueType() != ConfigValueType.NULL;
    }

    private static int line(ConfigValue value) {
        return value.origin().lineNumber();
    }

    /** The records of a sealed interface by their names. */
    static Map<String, Class<?>> kinds(Class<?> sealed) {
        var kinds = new TreeMap<String, Class<?>>();
        for (Class<?> kind : sealed.getPermittedSubclasses()) {
            kinds.put(ScalarReader.kebab(kind.getSimpleName()), kind);
        }
        return kinds;
    }
}
