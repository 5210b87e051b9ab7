package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Collection;

/**
 * One key of a configuration, in which a check may find a mistake.
 *
 * @param path from the root on
 * @param nearest the value that is written there, or else that of the innermost key around it
 * @param written whether there is one, be it right or wrong
 */
record Setting(ConfigProblems problems, String path, ConfigValue nearest, boolean written) {

    Setting(ConfigProblems problems, String path, ConfigObject root) {
        this(problems, path, root, true);
    }

    /** A key within the object that is written here. */
    Setting at(String key) {
        ConfigValue within = written && nearest instanceof ConfigObject object ? object.get(key) : null;
        return new Setting(problems, ConfigProblems.child(path, key), within == null ? nearest : within,
                within != null);
    }

    /** This key, with its mistakes told where another one is written that is in conflict with it. */
    Setting toldOf(Setting other) {
        return new Setting(problems, path, other.nearest, other.written);
    }

    boolean isSet() {
        return written && Hocon.isSet(nearest);
    }

    boolean isDefault() {
        return "reference.conf".equals(nearest.origin().resource());
    }

    /** The value as it is written. */
    String text() {
        return String.valueOf(nearest.unwrapped());
    }

    /** In its file; not positive where the value is from elsewhere. */
    int line() {
        return nearest.origin().lineNumber();
    }

    void wrong(Object value, String expected) {
        problems.add(nearest.origin(), "%s: %s (expected: %s)".formatted(path, value, expected));
    }

    /** Notes a mistake in the value as it is written: only once where it is a default of several. */
    void wrong(String expected) {
        problems.add(nearest, "%s: %s (expected: %s)".formatted(path, text(), expected));
    }

    void missing(String expected) {
        problems.add(nearest, "%s: missing (expected: %s)".formatted(path, expected));
    }

    /** Notes an entry that does not belong here. */
    void unknown(String name, String what, Collection<String> known) {
        problems.unknown(at(name).nearest, path, name, what, known);
    }
}
