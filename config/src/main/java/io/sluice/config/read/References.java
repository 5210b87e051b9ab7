package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.key.Ref;
import io.sluice.config.problem.ConfigProblems;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that the entries exist which components with {@link Ref} name. */
record References(ConfigObject root, ConfigProblems problems) {

    /** Returns the name; reports it and returns null if there is no such entry. */
    @Nullable Object check(Ref ref, @Nullable Object name, ConfigValue value, String path) {
        Set<String> known = names(ref.value());
        if (name == null || known == null || known.contains(name)) {
            return name;
        }
        problems.wrong(value, path, expected(ref, name.toString()));
        return null;
    }

    /** Describes the names of the entries, above all one that is similar to a wrong one; "" for none. */
    String expected(Ref ref, String wrong) {
        Set<String> known = names(ref.value());
        return known == null || known.isEmpty()
                ? "a %s that is defined; none is".formatted(singular(ref.value()))
                : ConfigProblems.oneOf(wrong, known);
    }

    /** Returns the names of a section's entries; null if the section itself is invalid. */
    private @Nullable Set<String> names(String section) {
        return Hocon.at(section, root) instanceof ConfigObject entries ? entries.keySet() : null;
    }

    /** Returns the singular of a section's name: {@code bus} of {@code buses}. */
    static String singular(String section) {
        return section.substring(section.lastIndexOf('.') + 1).replaceFirst("(?<=bus)es$|s$", "");
    }
}
