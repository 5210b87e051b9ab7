package io.sluice.config.read;

import io.sluice.config.FilterConfig;
import io.sluice.config.key.Key;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A component of a configuration record, and its key.
 *
 * @param key the key from which it is read
 * @param value the type of the value
 * @param section the record of its value, or of each of its entries; null if the value is not a section
 */
record Member(RecordComponent component, String key, Type value, @Nullable Class<?> section) {
    /** A cache: each look-up parses the annotations and signatures of the class file. */
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

    private static @Nullable Class<?> section(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            return generic.getRawType() == Set.class ? null : section(of[of.length - 1]);
        }
        return isSection((Class<?>) type) ? (Class<?>) type : null;
    }

    /** Returns the components of a record. */
    static List<Member> of(Class<?> section) {
        return MEMBERS.get(section);
    }

    /** Returns whether a type is a record whose components are keys, not one that is parsed from a text. */
    static boolean isSection(Class<?> type) {
        return type.isRecord() && !ScalarReader.reads(type);
    }

    /** Returns the value of this component in a record. */
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

    /** Returns whether this is the list of the plug-ins' filters, each of which has a key of its own. */
    boolean isOfFilters() {
        return value instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[0] == FilterConfig.class;
    }

    /** Returns a component for the key of one filter. */
    Member ofFilter(Class<? extends FilterConfig> filter) {
        return new Member(component, Plugins.name(filter), filter, filter);
    }

    /** Returns the names that its defaults may have: the key, and for a map also its singular. */
    List<String> names() {
        return isMap() ? List.of(key, References.singular(key)) : List.of(key);
    }

    /** Returns whether the value is a map, whose entries have names of the user's choice. */
    boolean isMap() {
        return type() == Map.class;
    }
}
