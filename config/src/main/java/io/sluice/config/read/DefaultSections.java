package io.sluice.config.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.GatewayConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The sections with defaults. {@code K-defaults} is for each entry of K, whose singular it may also be named
 * after, and for the object at a key K of an entry. It stands beside such entries, or at the root for what is
 * within entries. A key that chooses a kind has a section for each kind in its {@code K-defaults}.
 */
final class DefaultSections {
    private static final String SUFFIX = "-defaults";

    private final ConfigObject root;
    private final Plugins plugins;
    /** Where the defaults of a key's values, or of its entries, are. */
    private final Map<Member, String> paths = new HashMap<>();
    /** The records whose keys may stand at a path. */
    private final Map<String, List<Class<?>>> records = new TreeMap<>();
    /** The kinds that may stand at a path. */
    private final Map<String, Map<String, Class<?>>> kinds = new TreeMap<>();

    /** Those that there are in a configuration. */
    DefaultSections(ConfigObject root, Plugins plugins) {
        this.root = root;
        this.plugins = plugins;
        find(GatewayConfig.class, "", false);
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
        return member.names().stream().map(name -> place + name + SUFFIX)
                .filter(path -> at(path) != null).findFirst();
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

    /** The records whose keys may stand in each, by their paths. */
    Map<String, List<Class<?>>> records() {
        return records;
    }

    /** The kinds that each may have defaults of, by their paths. */
    Map<String, Map<String, Class<?>>> kinds() {
        return kinds;
    }

    /** The defaults of a key's values, or of its entries. */
    ConfigObject of(Member member) {
        return Hocon.object(paths.containsKey(member) ? at(paths.get(member)) : null);
    }

    /** What is written at a path; null where nothing is. */
    ConfigValue at(String path) {
        return Hocon.at(path, root);
    }

    /** A configuration without them. */
    ConfigObject removedFrom(ConfigObject complete) {
        Config rest = complete.toConfig();
        for (String path : paths.values()) {
            rest = rest.withoutPath(path);
        }
        return rest.root();
    }
}
