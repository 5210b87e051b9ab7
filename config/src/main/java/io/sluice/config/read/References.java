package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.Ref;
import java.util.Set;

/** Checks names of entries in other sections: the values of components with {@link Ref}. */
record References(ConfigObject root, ConfigProblems problems) {

    /** The name, or null where there is no such entry and that has been noted. */
    Object check(Ref ref, Object name, ConfigValue value, String path) {
        Set<String> known = names(ref.value());
        if (name == null || known == null || known.contains(name)) {
            return name;
        }
        problems.wrong(value, path, known.isEmpty()
                ? "a %s that is defined; none is".formatted(singular(ref.value()))
                : ConfigProblems.oneOf(name.toString(), known));
        return null;
    }

    /** The names of a section's entries; null where the section itself could not be read. */
    private Set<String> names(String section) {
        return Hocon.at(section, root) instanceof ConfigObject entries ? entries.keySet() : null;
    }

    private static String singular(String section) {
        return section.substring(section.lastIndexOf('.') + 1).replaceFirst("s$", "");
    }
}
