package io.sluice.config.check;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import java.util.Collection;

/**
 * A key of a configuration, for checks that report mistakes in its value.
 *
 * @param path the path from the root
 * @param nearest the value at the key; if there is none, that of the innermost enclosing key that has one
 * @param written whether there is a value at the key, valid or not
 */
record Setting(ConfigProblems problems, String path, ConfigValue nearest, boolean written) {

    Setting(ConfigProblems problems, String path, ConfigObject root) {
        this(problems, path, root, true);
    }

    /** Returns a key in the object at this key. */
    Setting at(String key) {
        ConfigValue within = written && nearest instanceof ConfigObject object ? object.get(key) : null;
        return new Setting(problems, ConfigProblems.child(path, key), within == null ? nearest : within,
                within != null);
    }

    /** Returns an element of the list at this key. */
    Setting at(int index) {
        ConfigValue within = written && nearest instanceof ConfigList list ? list.get(index) : null;
        return new Setting(problems, path + '.' + index, within == null ? nearest : within, within != null);
    }

    /** Returns the number of elements of the list at this key; 1 for another value, 0 if there is none. */
    int size() {
        return !isSet() ? 0 : nearest instanceof ConfigList list ? list.size() : 1;
    }

    /** Returns this key, with its mistakes located at another key that conflicts with it. */
    Setting locatedAt(Setting other) {
        return new Setting(problems, path, other.nearest, other.written);
    }

    boolean isSet() {
        return written && nearest.valueType() != ConfigValueType.NULL;
    }

    boolean isDefault() {
        return "reference.conf".equals(nearest.origin().resource());
    }

    /** Returns the value as it is written. */
    String text() {
        return ValueText.written(nearest);
    }

    /** Returns the line, and the file unless it is that of the other key; empty without a line. */
    String placeFor(Setting other) {
        ConfigOrigin origin = nearest.origin();
        return origin.lineNumber() <= 0 ? ""
                : ConfigProblems.source(origin).equals(ConfigProblems.source(other.nearest.origin()))
                        ? " in line " + origin.lineNumber() : " in " + ConfigProblems.place(origin);
    }

    void wrong(Object value, String expected) {
        problems.add(nearest.origin(), "%s: %s (expected: %s)".formatted(path,
                ValueText.masked(value.toString()), expected));
    }

    /** Reports the value as invalid; only once if it is a default of several entries. */
    void wrong(String expected) {
        problems.add(nearest, "%s: %s (expected: %s)".formatted(path, ValueText.masked(text()), expected));
    }

    /** Reports the value as invalid without showing it. */
    void wrongSecret(String expected) {
        problems.wrongSecret(nearest, path, expected);
    }

    void missing(String expected) {
        problems.add(nearest, "%s: missing (expected: %s)".formatted(path, expected));
    }

    /** Reports an entry that is not known here. */
    void unknown(String name, String what, Collection<String> known) {
        problems.unknown(at(name).nearest, path, name, what, known);
    }
}
