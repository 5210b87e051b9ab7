package io.sluice.config.read;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.GatewayConfig;
import io.sluice.config.problem.ConfigProblems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All keys and values of a configuration, defaults included, with their origins. */
public final class EffectiveConfig {
    private static final ConfigRenderOptions ONE_LINE = ConfigRenderOptions.concise();

    private final GatewayConfig config;
    private final ConfigObject written;

    /**
     * One key.
     *
     * @param path the path, which begins with {@code sluice}
     * @param value a text, a number, a boolean, a list or null, as in JSON and HOCON; masked if confidential
     * @param origin the file with its line, the command line or the environment
     */
    public record Entry(String path, @Nullable Object value, String origin) {

        /** Returns a line of HOCON. */
        @Override
        public String toString() {
            String written = ConfigValueFactory.fromAnyRef(value).render(ONE_LINE);
            return "%s = %s  # %s".formatted(path, written, origin);
        }
    }

    /** Takes a configuration and the complete HOCON tree from which it was bound. */
    EffectiveConfig(GatewayConfig config, ConfigObject written) {
        this.config = config;
        this.written = written;
    }

    /** Returns the keys in the order of the records, and named entries in the order of the file. */
    public List<Entry> entries() {
        var entries = new ArrayList<Entry>();
        add(ConfigLoader.ROOT, config, written, entries);
        return entries;
    }

    private static void add(String path, @Nullable Object bound, ConfigValue written, List<Entry> entries) {
        Map<String, Object> keys = Keys.of(bound).orElse(Map.of());
        keys.forEach((key, value) -> {
            ConfigValue at = Hocon.object(written).get(key);
            if (at != null) {
                add(ConfigProblems.child(path, key), value, at, entries);
            }
        });
        if (keys.isEmpty()) {
            entries.add(new Entry(path, PlainValues.of(bound), ConfigProblems.place(written.origin())));
        }
    }

    /** Returns the origin of a key, also of one within an element of a list; empty if it has no value. */
    public String origin(String path) {
        List<String> keys = ConfigUtil.splitPath(path);
        ConfigValue at = written;
        for (String key : keys.subList(1, keys.size())) {
            at = at instanceof ConfigList list ? list.get(Integer.parseInt(key))
                    : Hocon.object(at).get(key);
        }
        return at == null || !Hocon.isSet(at) ? "" : ConfigProblems.place(at.origin());
    }

    /**
     * Reports a mistake in the value of a key, at its origin.
     *
     * @param line the line of the value, from 1
     */
    public void report(ConfigProblems problems, String key, int line, String message) {
        String origin = origin(key);
        int colon = origin.lastIndexOf(':');
        boolean hasLine = colon > 0 && origin.substring(colon + 1).chars().allMatch(Character::isDigit);
        problems.add(hasLine ? origin.substring(0, colon) : origin,
                hasLine ? Integer.parseInt(origin.substring(colon + 1)) + line - 1 : 0, message);
    }

    /** Returns a tree for JSON: the sections under {@code sluice}, and {@code origins} by paths. */
    public Map<String, Object> toMap() {
        var origins = new LinkedHashMap<String, Object>();
        entries().forEach(entry -> origins.put(entry.path(), entry.origin()));
        var map = new LinkedHashMap<String, Object>();
        map.put(ConfigLoader.ROOT, PlainValues.of(config));
        map.put("origins", origins);
        return map;
    }

    /** Returns HOCON with a line for each key, whose origin is in a comment. */
    @Override
    public String toString() {
        return entries().stream().map(Entry::toString).collect(Collectors.joining("\n", "", "\n"));
    }
}
