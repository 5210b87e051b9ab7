package io.sluice.config.read;

import io.sluice.config.GatewayConfig;
import io.sluice.config.key.Restart;
import io.sluice.config.problem.ConfigProblems;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two configurations.
 *
 * @param changes one for each key, in the order of the sections
 */
public record ConfigDiff(List<Change> changes) {
    private static final Set<String> RESTART = new LinkedHashSet<>();

    static {
        findRestarts(GatewayConfig.class, ConfigLoader.ROOT);
    }

    /** The kind of a change. */
    public enum Kind { ADDED, CHANGED, REMOVED }

    /**
     * A key whose value changed, or a section that was added or removed as a whole.
     *
     * @param path the path, which begins with {@code sluice}
     * @param before the old value as in JSON, masked if it is confidential; null if there was none
     * @param after the new value, likewise
     * @param restart whether the change needs a restart ({@link Restart})
     */
    public record Change(String path, Kind kind, @Nullable Object before, @Nullable Object after,
                         boolean restart) {

        /** Returns the first key below {@code sluice}, such as {@code routes}. */
        public String section() {
            return path.split("\\.")[1];
        }

        /** Returns a line for operators. */
        @Override
        public String toString() {
            String change = switch (kind) {
                case ADDED -> "added" + shown(after);
                case REMOVED -> "removed" + shown(before);
                case CHANGED -> ": %s -> %s".formatted(before, after);
            };
            return path + (kind == Kind.CHANGED ? "" : " ") + change + (restart ? " (needs a restart)" : "");
        }

        private static String shown(@Nullable Object value) {
            return value instanceof Map ? "" : ": " + value;
        }
    }

    /** Returns the changes from one configuration to the next. */
    public static ConfigDiff between(GatewayConfig before, GatewayConfig after) {
        return ofSections(before, after);
    }

    /** Compares two configurations that are records, or maps as in JSON. */
    static ConfigDiff ofSections(Object before, Object after) {
        var changes = new ArrayList<Change>();
        compare(ConfigLoader.ROOT, before, after, false, changes);
        return new ConfigDiff(List.copyOf(changes));
    }

    private static void compare(String path, @Nullable Object before, @Nullable Object after, boolean restart,
                                List<Change> changes) {
        if (Objects.equals(before, after)) {
            return;
        }
        Optional<Map<String, Object>> old = Keys.of(before);
        Optional<Map<String, Object>> now = Keys.of(after);
        if (old.isEmpty() || now.isEmpty()) {
            Kind kind = before == null ? Kind.ADDED : after == null ? Kind.REMOVED : Kind.CHANGED;
            changes.add(new Change(path, kind, PlainValues.of(before), PlainValues.of(after), restart));
            return;
        }
        var keys = new LinkedHashSet<>(old.get().keySet());
        keys.addAll(now.get().keySet());
        for (String key : keys) {
            String at = ConfigProblems.child(path, key);
            compare(at, old.get().get(key), now.get().get(key), restart || RESTART.contains(at), changes);
        }
    }

    private static void findRestarts(Class<?> section, String path) {
        for (Member member : Member.of(section)) {
            String at = ConfigProblems.child(path, member.key());
            if (member.component().isAnnotationPresent(Restart.class)) {
                RESTART.add(at);
            }
            if (member.section() != null && !member.isMap()) {
                findRestarts(member.section(), at);
            }
        }
    }

    /** Returns whether the configurations are equal. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns the changes that need a restart. */
    public List<Change> restarts() {
        return changes.stream().filter(Change::restart).toList();
    }

    /** Returns a line for each change. */
    @Override
    public String toString() {
        return changes.stream().map(change -> change.toString() + '\n').collect(Collectors.joining());
    }
}
