package io.sluice.config.problem;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.type.FileState;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects mistakes, so that a user gets all of them at once. */
public final class ConfigProblems {
    public static final String OBJECT = "an object { … }";
    public static final String LIST = "a list [ … ] of at least one";
    /**
     * The resource of the defaults. They are correct, so a mistake there is in a user's reference to them.
     */
    private static final String DEFAULTS = "reference.conf";
    private static final String NOT_SHOWN = "not shown";

    private static final Pattern SECRET = Pattern.compile("(?i)pas|pw|secret|token|cred");
    /** The description, by Typesafe Config, of one of the places from which a value was merged. */
    private static final Pattern MERGED = Pattern.compile("(?:merge of )?(.+): (\\d+)(?:-\\d+)?");

    private String userSource = "";
    private ConfigObject written = ConfigFactory.empty().root();
    private final SortedSet<ConfigProblem> found = new TreeSet<>();
    /** The values whose mistakes are reported. */
    private final Set<ConfigValue> reported = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Sets the user's file, in which mistakes are located whose values come from the defaults. */
    public void locateIn(String source, ConfigObject root) {
        userSource = source;
        written = root;
    }

    /** Reports a mistake at the place in the user's file that an origin leads to. */
    public void add(ConfigOrigin origin, String message) {
        if (isDefault(origin)) {
            add(userSource, 0, message);
            return;
        }
        if (origin.description().startsWith("merge of ")) {
            for (String place : origin.description().split(",")) {
                var matcher = MERGED.matcher(place);
                if (matcher.matches() && !matcher.group(1).startsWith(DEFAULTS)) {
                    add(matcher.group(1), Integer.parseInt(matcher.group(2)), message);
                    return;
                }
            }
        }
        add(source(origin), Math.max(origin.lineNumber(), 0), message);
    }

    /** Reports a mistake in a value once, even if several entries have the value from the same default. */
    public void add(ConfigValue value, String message) {
        if (reported.add(value)) {
            add(value.origin(), message);
        }
    }

    /** Accepts mistakes in a value without reporting them, as their cause has been reported. */
    public void ignore(ConfigValue value) {
        reported.add(value);
    }

    /** Reports a mistake in a line, 0 if unknown. */
    public void add(String source, int line, String message) {
        found.add(new ConfigProblem(withoutDot(source), line, message));
    }

    /** Reports an invalid value. */
    public void wrong(ConfigValue value, String path, String expected) {
        wrong(value, path, isSecret(path) ? NOT_SHOWN : ValueText.shown(value), expected);
    }

    /** Reports an invalid value without showing it, as it may be confidential. */
    public void wrongSecret(ConfigValue value, String path, String expected) {
        wrong(value, path, NOT_SHOWN, expected);
    }

    private void wrong(ConfigValue value, String path, String shown, String expected) {
        if (reported.add(value)) {
            add(written(path, value.origin()), "%s: %s (expected: %s)".formatted(path, shown, expected));
        }
    }

    /** Returns the origin of a value; for a default to which the user refers, that of the reference. */
    private ConfigOrigin written(String path, ConfigOrigin origin) {
        ConfigOrigin nearest = origin;
        if (isDefault(origin)) {
            ConfigValue at = written;
            for (String key : ConfigUtil.splitPath(path)) {
                at = at instanceof ConfigObject object ? in(object, key) : null;
                if (at == null) {
                    break;
                }
                nearest = at.origin();
            }
        }
        return nearest;
    }

    /** Returns a value; null if there is none, or if the object is merged of others by references. */
    private static @Nullable ConfigValue in(ConfigObject object, String key) {
        try {
            return object.get(key);
        } catch (com.typesafe.config.ConfigException.NotResolved e) {
            return null;
        }
    }

    private static boolean isDefault(ConfigOrigin origin) {
        return origin.description().startsWith(DEFAULTS);
    }

    /** Reports an unknown key, with the most similar known one. */
    public void unknown(ConfigValue value, String parent, String key, String what, Collection<String> known) {
        unknown(value, parent, key, what, known, Set.of());
    }

    /**
     * Reports an unknown key.
     *
     * @param others further known keys, of which the message has none but the most similar one
     */
    public void unknown(ConfigValue value, String parent, String key, String what, Collection<String> known,
                        Collection<String> others) {
        add(value, "%s%s: unknown %s (expected: %s)".formatted(child(parent, key),
                isSecret(parent) ? "" : written(key, value), what, oneOf(key, known, others)));
    }

    /** A user may have written a token itself in place of its hash. */
    private static boolean isSecret(String path) {
        return path.equals("sluice.tokens") || path.startsWith("sluice.tokens.");
    }

    /** Returns the value for a message; empty for an object, which is long, and for a possible secret. */
    private static String written(String key, ConfigValue value) {
        boolean secret = SECRET.matcher(key).find()
                || distance(key.toLowerCase(Locale.ROOT), "password") <= 3;
        return secret || value.valueType() == ConfigValueType.OBJECT ? "" : " = " + ValueText.shown(value);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** Returns the exception to throw, with all mistakes. */
    public ConfigException toException() {
        return toException(Map.of());
    }

    /**
     * Returns the exception to throw, with all mistakes.
     *
     * @param files the files that were read, or are missing, with their states before
     */
    public ConfigException toException(Map<Path, FileState> files) {
        return new ConfigException(found, files);
    }

    /** Returns the path of a key, in quotes if HOCON requires them. */
    public static String child(String parent, String key) {
        return parent + '.' + ConfigUtil.joinPath(key);
    }

    /** Returns "one of a, b, c", with a suggestion if {@code name} is similar to one of them. */
    public static String oneOf(String name, Collection<String> known) {
        return oneOf(name, known, Set.of());
    }

    private static String oneOf(String name, Collection<String> known, Collection<String> others) {
        String all = known.isEmpty() ? "none"
                : "one of " + known.stream().sorted().collect(Collectors.joining(", "));
        int near = Math.min(Math.max(2, name.length() / 3), name.length() - 1);
        return Stream.concat(known.stream(), others.stream())
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(candidate -> distance(name, candidate) <= near)
                .map(candidate -> all + "; did you mean " + candidate + '?').orElse(all);
    }

    /** Returns the Levenshtein distance. */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /** Returns the file of a value, or its other source. */
    public static String source(ConfigOrigin origin) {
        return origin.resource() != null ? origin.resource()
                : origin.filename() != null ? withoutDot(origin.filename())
                : origin.url() != null ? ValueText.masked(origin.url().toString())
                : origin.description().startsWith("env var") ? "environment" : origin.description();
    }

    /** Returns a file's name without {@code ./} at its beginning. */
    private static String withoutDot(String file) {
        return file.startsWith("./") ? file.substring(2) : file;
    }

    /** Returns the file and line of a value, or its other source. */
    public static String place(ConfigOrigin origin) {
        return source(origin) + (origin.lineNumber() > 0 ? ":" + origin.lineNumber() : "");
    }
}
