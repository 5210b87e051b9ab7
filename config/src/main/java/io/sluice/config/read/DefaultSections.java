package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sections with defaults. {@code K-defaults} has the defaults of each entry of the map K, and of
 * the object at a key K of an entry; for a map, it may have the singular of K in its name. It stands beside
 * the map, or at the root if K is a key of entries. A key that selects a kind has, in its {@code K-defaults},
 * a section for each kind.
 */
final class DefaultSections {
    private static final String SUFFIX = "-defaults";

    private final ConfigObject root;
    private final ConfigObject delivered;
    private final Plugins plugins;
    /** The paths of the defaults of a key's value, or of its entries. */
    private final Map<Member, String> paths = new HashMap<>();
    /** The records whose keys are valid in each section with defaults, by its path. */
    private final Map<String, List<Class<?>>> records = new TreeMap<>();
    /** The kinds that may have defaults in each section, by its path. */
    private final Map<String, Map<String, Class<?>>> kinds = new TreeMap<>();

    /**
     * Finds the sections with defaults in a configuration.
     *
     * @param delivered the defaults of Sluice and of plug-ins, which decide between the names of a section
     */
    DefaultSections(ConfigObject root, ConfigObject delivered, Plugins plugins) {
        this.root = root;
        this.delivered = delivered;
        this.plugins = plugins;
        find(GatewayConfig.class, "", false);
    }

    /** Returns the keys of a configuration: its sections, and those with the defaults of their entries. */
    static Set<String> rootKeys() {
        return Member.of(GatewayConfig.class).stream().flatMap(member -> Stream.concat(
                Stream.of(member.key()), member.isMap() ? member.names().stream().map(name -> name + SUFFIX)
                        : Stream.empty())).collect(Collectors.toSet());
    }

    private void find(Class<?> section, String path, boolean withinEntry) {
        for (Member member : plugins.keys(section)) {
            if (member.type().isSealed()) {
                findKinds(section, member);
            } else if (member.section() != null) {
                boolean isEntry = withinEntry || member.isMap();
                if (isEntry) {
                    find(withinEntry ? "" : path, member).ifPresent(at -> {
                        paths.put(member, at);
                        records.put(at, List.of(member.section()));
                    });
                }
                find(member.section(), path + member.key() + '.', isEntry);
            }
        }
    }

    private Optional<String> find(String place, Member member) {
        return Stream.of(delivered, root).flatMap(in -> member.names().stream()
                .map(name -> place + name + SUFFIX).filter(path -> Hocon.at(path, in) != null)).findFirst();
    }

    private void findKinds(Class<?> section, Member member) {
        String path = member.key() + SUFFIX;
        paths.put(member, path);
        kinds.put(path, plugins.kinds(member.type()));
        kinds.get(path).forEach((kind, type) -> {
            records.put(path + '.' + kind, List.of(section, type));
            find(type, "", true);
        });
    }

    /** Returns the records whose keys are valid in each section, by its path. */
    Map<String, List<Class<?>>> records() {
        return records;
    }

    /** Returns the kinds that may have defaults in each section, by its path. */
    Map<String, Map<String, Class<?>>> kinds() {
        return kinds;
    }

    /** Returns the keys of those sections that are in the object at a path; the root's is empty. */
    Set<String> keys(String path) {
        return Stream.concat(records.keySet().stream(), kinds.keySet().stream())
                .filter(at -> at.substring(0, Math.max(0, at.lastIndexOf('.'))).equals(path))
                .map(at -> at.substring(at.lastIndexOf('.') + 1)).collect(Collectors.toSet());
    }

    /** Returns the defaults of a key's value, or of its entries; empty if there are none. */
    ConfigObject of(Member member) {
        return Hocon.object(paths.containsKey(member) ? at(paths.get(member)) : null);
    }

    /** Returns the value at a path; null if there is none. */
    @Nullable ConfigValue at(String path) {
        return Hocon.at(path, root);
    }

    /** Returns a configuration without its sections with defaults. */
    ConfigObject removedFrom(ConfigObject complete) {
        Config rest = complete.toConfig();
        for (String path : paths.values()) {
            rest = rest.withoutPath(path);
        }
        return rest.root();
    }
}
