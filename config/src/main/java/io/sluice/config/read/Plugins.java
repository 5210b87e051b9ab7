package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.sluice.config.FilterConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import java.net.URL;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The kinds of routes and the filters that plug-ins add. */
public final class Plugins {
    /** An empty set of plug-ins. */
    public static final Plugins NONE = new Plugins(List.of(), List.of(), List.of());

    private final List<Class<? extends HandlerConfig.Plugin>> handlers;
    private final List<Member> filters;
    private final List<URL> defaults;

    /**
     * Creates a set of plug-ins. The names of their records must be {@linkplain #name unique} and not
     * {@link #reserved}.
     *
     * @param defaults the {@code reference.conf} of each jar that has one
     */
    public Plugins(Collection<Class<? extends HandlerConfig.Plugin>> handlers,
                   Collection<Class<? extends FilterConfig>> filters, Collection<URL> defaults) {
        Member key = Member.of(RouteConfig.class).stream().filter(Member::isOfFilters).findFirst()
                .orElseThrow();
        this.handlers = List.copyOf(handlers);
        this.filters = filters.stream().map(key::ofFilter).sorted(Comparator.comparing(Member::key)).toList();
        this.defaults = List.copyOf(defaults);
    }

    /** Returns the name of a record in a configuration: its simple name in kebab-case. */
    public static String name(Class<?> config) {
        return ScalarReader.kebab(config.getSimpleName());
    }

    /**
     * Returns the names that plug-ins must not have: built-in kinds, keys of routes, sections with defaults.
     */
    public static Set<String> reserved() {
        Map<String, Class<?>> kinds = NONE.kinds(HandlerConfig.class);
        Set<String> names = new TreeSet<>(kinds.keySet());
        Stream.concat(Stream.of(RouteConfig.class), kinds.values().stream())
                .flatMap(type -> Member.of(type).stream()).forEach(member -> names.add(member.key()));
        addSections(GatewayConfig.class, names);
        return names;
    }

    private static void addSections(Class<?> section, Set<String> names) {
        for (Member member : Member.of(section)) {
            if (member.section() != null) {
                names.addAll(member.names());
                addSections(member.section(), names);
            }
        }
    }

    /** Returns the keys that are valid in a section. */
    List<Member> keys(Class<?> section) {
        return Member.of(section).stream()
                .flatMap(member -> member.isOfFilters() ? filters.stream() : Stream.of(member)).toList();
    }

    /** Returns the keys of filters. */
    List<Member> filters() {
        return filters;
    }

    /** Returns the records of a sealed interface by their names. */
    Map<String, Class<?>> kinds(Class<?> sealed) {
        var kinds = new TreeMap<String, Class<?>>();
        Stream.concat(records(sealed), handlers.stream().filter(sealed::isAssignableFrom))
                .forEach(kind -> kinds.put(name(kind), kind));
        return kinds;
    }

    /** Returns the records of a sealed interface, and of those that it permits. */
    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed() ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Plugins::records)
                : Stream.<Class<?>>of(type).filter(Class::isRecord);
    }

    /** Returns the defaults of all plug-ins, which those of Sluice override. */
    Config defaults() {
        return defaults.stream().map(ConfigFactory::parseURL)
                .reduce(ConfigFactory.empty(), Config::withFallback);
    }
}
