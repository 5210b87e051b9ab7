package io.sluice.config.read;

import io.sluice.config.FilterConfig;
import io.sluice.config.Key;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A component of a configuration's record.
 *
 * @param key that it is read from
 * @param value the type of what stands there
 * @param section the record of its value, or of each of its entries; null where these are none
 */
record Member(RecordComponent component, String key, Type value, Class<?> section) {
    /** Looked up once: each look reads the class file's annotations and signatures anew. */
    private static final ClassValue<List<Member>> MEMBERS = new ClassValue<>() {
        @Override
        protected List<Member> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(Member::new).toList();
        }
    };

    private Member(RecordComponent component) {
        this(component, component.isAnnotationPresent(Key.class)
                ? component.getAnnotation(Key.class).value() : ScalarReader.kebab(component.getName()),
                component.getGenericType(), section(component.getGenericType()));
    }

    private static Class<?> section(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            return generic.getRawType() == Set.class ? null : section(of[of.length - 1]);
        }
        return isSection((Class<?>) type) ? (Class<?>) type : null;
    }

    /** Those of a record. */
    static List<Member> of(Class<?> section) {
        return MEMBERS.get(section);
    }

    /** Whether a type is a record whose components are keys, and not one that is read from a text. */
    static boolean isSection(Class<?> type) {
        return type.isRecord() && !ScalarReader.reads(type);
    }

    /** Its value in a record. */
    Object of(Record bound) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(bound);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(component + " cannot be read", e);
        }
    }

    Class<?> type() {
        return value instanceof Class<?> plain ? plain : component.getType();
    }

    /** Whether it holds the filters of other jars, each of which has a key of its own. */
    boolean isOfFilters() {
        return value instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[0] == FilterConfig.class;
    }

    /** The key of one of them. */
    Member ofFilter(Class<? extends FilterConfig> filter) {
        return new Member(component, Plugins.name(filter), filter, filter);
    }

    /** What its defaults may be named after: the key, and the singular of one with entries. */
    List<String> names() {
        return isMap() ? List.of(key, key.replaceFirst("s$", "")) : List.of(key);
    }

    /** Whether its value has entries with names of the user's choice. */
    boolean isMap() {
        return type() == Map.class;
    }
}
