package io.sluice.config.read;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.problem.ConfigProblems;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Binds HOCON objects to records: a record component's name, in kebab-case, is its key, and its type defines
 * the valid values. An invalid value is reported, bound as {@code null}, and binding continues.
 */
final class ConfigBinder {
    /** A member of a set of known keys by which every key is accepted, since the kind is unknown. */
    private static final String ANY = "*";

    private final DefaultSections defaults;
    private final Plugins plugins;
    private final ConfigProblems problems;
    private final ScalarReader scalars;
    private final References references;

    /**
     * Creates a binder of parts of a configuration.
     *
     * @param root the whole configuration, with the entries that references name
     * @param defaults its sections with defaults, which a user may have meant by an unknown key
     */
    ConfigBinder(ConfigObject root, DefaultSections defaults, Plugins plugins, ConfigProblems problems) {
        this.defaults = defaults;
        this.plugins = plugins;
        this.problems = problems;
        references = new References(root, problems);
        scalars = new ScalarReader(problems);
    }

    <T> @Nullable T bind(Class<T> type, ConfigObject object, String path) {
        Set<String> known = new TreeSet<>();
        T bound = construct(type, object, path, known);
        if (!known.contains(ANY)) {
            reportUnknown(object, path, known);
        }
        return bound;
    }

    /**
     * Checks the values of those keys that are set. Maps are skipped: their entries are checked when they are
     * complete with defaults.
     */
    void inspect(ConfigObject object, String path, List<Class<?>> types) {
        Set<String> known = new TreeSet<>();
        types.stream().flatMap(type -> plugins.keys(type).stream())
                .filter(member -> !member.type().isSealed() && known.add(member.key()))
                .filter(member -> !member.isMap() && Hocon.isSet(object.get(member.key())))
                .forEach(member -> inspect(member, object, path, known));
        reportUnknown(object, path, known);
    }

    /** Inspects an object with its own keys, too, since it is incomplete like the one around it. */
    private void inspect(Member member, ConfigObject object, String path, Set<String> known) {
        if (member.section() != null && object.get(member.key()) instanceof ConfigObject child) {
            inspect(child, path + '.' + member.key(), List.of(member.section()));
        } else {
            component(member, object, path, known);
        }
    }

    private <T> @Nullable T construct(Class<T> type, ConfigObject object, String path, Set<String> known) {
        List<Member> members = Member.of(type);
        @Nullable Object[] values = new @Nullable Object[members.size()];
        Class<?>[] types = new Class<?>[values.length];
        for (int i = 0; i < values.length; i++) {
            types[i] = members.get(i).type();
            values[i] = types[i].isSealed() ? variant(members.get(i), object, path, known)
                    : members.get(i).isOfFilters() ? filters(object, path, known)
                    : component(members.get(i), object, path, known);
            if (values[i] == null && types[i].isPrimitive()) {
                values[i] = types[i] == boolean.class ? (Object) false : (Object) 0;
            }
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            // A plug-in's constructor may fail because a value is null, which has been reported.
            if (!Arrays.asList(values).contains(null)) {
                problems.add(object.origin(), "%s: %s".formatted(path, e.getTargetException().getMessage()));
            }
            return null;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new LinkageError(type + " cannot be bound", e);
        }
    }

    private List<Object> filters(ConfigObject object, String path, Set<String> known) {
        var bound = new ArrayList<>();
        for (Member filter : plugins.filters()) {
            known.add(filter.key());
            if (Hocon.isSet(object.get(filter.key()))) {
                bound.add(component(filter, object, path, known));
            }
        }
        bound.removeIf(Objects::isNull);
        return Collections.unmodifiableList(bound);
    }

    private @Nullable Object component(Member member, ConfigObject object, String path, Set<String> known) {
        known.add(member.key());
        ConfigValue value = object.get(member.key());
        String at = path + '.' + member.key();
        if (value != null && Hocon.isSet(value)) {
            return value(member.value(), member.component(), value, at);
        }
        if (member.type() == Optional.class) {
            return Optional.empty();
        }
        Ref ref = member.component().getAnnotation(Ref.class);
        String expected = ref != null ? references.expected(ref, "")
                : scalars.expected(member.type(), member.component());
        return value != null ? wrong(value, at, expected) : missing(object, at, expected);
    }

    private @Nullable Object value(Type type, @Nullable AnnotatedElement limits, ConfigValue value,
                                   String path) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return Optional.ofNullable(value(of[0], limits, value, path));
            }
            return generic.getRawType() == Map.class ? map(of[1], value, path)
                    : set(of[0], limits, value, path);
        }
        Class<?> plain = (Class<?>) type;
        if (Member.isSection(plain)) {
            return value instanceof ConfigObject object ? bind(plain, object, path)
                    : wrong(value, path, ConfigProblems.OBJECT);
        }
        return referenced(limits, scalars.read(plain, limits, value, path), value, path);
    }

    private @Nullable Object referenced(@Nullable AnnotatedElement component, @Nullable Object name,
                                        ConfigValue value, String path) {
        Ref ref = component == null ? null : component.getAnnotation(Ref.class);
        return ref == null ? name : references.check(ref, name, value, path);
    }

    private @Nullable Object map(Type of, ConfigValue value, String path) {
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

    /** Reads a list, or a text with commas from the command line. */
    private @Nullable Object set(Type of, @Nullable AnnotatedElement limits, ConfigValue value, String path) {
        List<ConfigValue> elements = value instanceof ConfigList list ? list
                : value.unwrapped() instanceof String text ? Stream.of(text.split(","))
                        .map(part -> scalars.text(part.strip(), value.origin())).toList() : null;
        Range range = limits == null ? null : limits.getAnnotation(Range.class);
        if (elements == null || elements.size() < (range == null ? 1 : range.min())
                || range != null && elements.size() > range.max()) {
            return wrong(value, path, scalars.expected(Set.class, limits));
        }
        var set = new LinkedHashSet<>();
        boolean areSections = of instanceof Class<?> plain && Member.isSection(plain);
        for (int i = 0; i < elements.size(); i++) {
            ConfigValue element = elements.get(i);
            String at = areSections ? path + '.' + i : path;
            Object read = referenced(limits, value(of, null, element, at), element, at);
            if (read != null && !set.add(read) && areSections) {
                problems.wrong(element, at, "an element that differs from the others");
            }
        }
        return Collections.unmodifiableSet(set);
    }

    /** Binds the record of a sealed interface that the component's key selects. */
    private @Nullable Object variant(Member member, ConfigObject object, String path, Set<String> known) {
        known.add(member.key());
        Map<String, Class<?>> kinds = plugins.kinds(member.type());
        ConfigValue value = object.get(member.key());
        String name = Hocon.text(value);
        if (kinds.containsKey(name)) {
            return construct(kinds.get(name), object, path, known);
        }
        known.add(ANY);
        String at = path + '.' + member.key();
        String expected = ConfigProblems.oneOf(name, kinds.keySet());
        return value != null ? wrong(value, at, expected) : missing(object, at, expected);
    }

    private void reportUnknown(ConfigObject object, String path, Set<String> known) {
        Set<String> meant = defaults.keys(path.replaceFirst("^" + ConfigLoader.ROOT + "\\.?", ""));
        object.forEach((key, value) -> {
            if (!known.contains(key)) {
                problems.unknown(value, path, key, "key", known, meant);
            }
        });
    }

    private @Nullable Object wrong(ConfigValue value, String path, String expected) {
        problems.wrong(value, path, expected);
        return null;
    }

    private @Nullable Object missing(ConfigObject object, String path, String expected) {
        problems.add(object.origin(), "%s: missing (expected: %s)".formatted(path, expected));
        return null;
    }

    private static int line(ConfigValue value) {
        return value.origin().lineNumber();
    }
}
