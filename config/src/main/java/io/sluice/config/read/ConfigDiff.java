package io.sluice.config.read;

import io.sluice.config.GatewayConfig;
import io.sluice.config.Restart;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The difference of two configurations.
 *
 * @param changes key by key, in the order of the sections
 */
public record ConfigDiff(List<Change> changes) {
    private static final Set<String> RESTART = new LinkedHashSet<>();

    static {
        findRestarts(GatewayConfig.class, ConfigLoader.ROOT);
    }

    /** What has become of a key. */
    public enum Kind { ADDED, CHANGED, REMOVED }

    /**
     * A key with another value, or a section that came or went as a whole.
     *
     * @param path from {@code sluice} on
     * @param before the value as JSON has it, masked where it is confidential; null where there was none
     * @param after likewise
     * @param restart whether it is for the next start ({@link Restart})
     */
    public record Change(String path, Kind kind, Object before, Object after, boolean restart) {

        /** The first key below {@code sluice}, such as {@code routes}. */
        public String section() {
            return path.split("\\.")[1];
        }

        /** A line for operators. */
        @Override
        public String toString() {
            String change = switch (kind) {
                case ADDED -> "added" + shown(after);
                case REMOVED -> "removed" + shown(before);
                case CHANGED -> ": %s -> %s".formatted(before, after);
            };
            return path + (kind == Kind.CHANGED ? "" : " ") + change + (restart ? " (needs a restart)" : "");
        }

        private static String shown(Object value) {
            return value instanceof Map ? "" : ": " + value;
        }
    }

    /** What changes where one takes the place of another. */
    public static ConfigDiff between(GatewayConfig before, GatewayConfig after) {
        return ofSections(before, after);
    }

    /** The difference of two configurations as records, or as the maps that JSON has. */
    static ConfigDiff ofSections(Object before, Object after) {
        var changes = new ArrayList<Change>();
        compare(ConfigLoader.ROOT, before, after, false, changes);
        return new ConfigDiff(List.copyOf(changes));
    }

    private static void compare(String path, Object before, Object after, boolean restart,
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

    /** Whether both are the same. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** The changes that are for the next start. */
    public List<Change> restarts() {
        return changes.stream().filter(Change::restart).toList();
    }

    /** A line for each change. */
    @Override
    public String toString() {
        return changes.stream().map(change -> change.toString() + '\n').collect(Collectors.joining());
    }
}
