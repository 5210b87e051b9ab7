package io.sluice.loadtest.experiments.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * A variant of the gateway, or a server to compare it with.
 *
 * @param name in tables
 * @param settings configuration keys and their values, which override the file
 */
public record Variant(String name, Map<String, String> settings) {

    private static final String LOOPS = "sluice.server.worker-threads";
    private static final String KIND = "sluice.offload.pools.work.kind";

    /** The gateway's own pool of platform threads. */
    public static Variant platformPool() {
        return new Variant("ours, platform threads", Map.of(LOOPS, "2", KIND, "platform"));
    }

    /** The gateway's own pool of virtual threads. */
    public static Variant virtualPool() {
        return new Variant("ours, virtual threads", Map.of(LOOPS, "2", KIND, "virtual"));
    }

    /** This variant with a further setting. */
    public Variant with(String key, String value) {
        var all = new TreeMap<>(settings);
        all.put(key, value);
        return new Variant(name, Map.copyOf(all));
    }
}
