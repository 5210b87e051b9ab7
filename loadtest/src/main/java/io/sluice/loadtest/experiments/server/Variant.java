package io.sluice.loadtest.experiments.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * A way to run the gateway, or a server to compare it with.
 *
 * @param name as it stands in tables
 * @param settings configuration keys and their values, on top of the file
 */
public record Variant(String name, Map<String, String> settings) {

    private static final String LOOPS = "sluice.server.worker-threads";
    private static final String PINNED = "sluice.server.pinned-threads";
    private static final String KIND = "sluice.offload.pools.work.kind";
    private static final String EXECUTION = "sluice.offload.pools.work.execution";

    /** Queries on the event loops that serve the connections. */
    public static Variant onEventLoops(int loops) {
        return new Variant("on %d event loops".formatted(loops),
                Map.of(LOOPS, Integer.toString(loops), EXECUTION, "event-loop"));
    }

    /** Netty's {@code addLast(group, handler)}: each connection has one of the group's threads for good. */
    public static Variant pinned(int threads) {
        return new Variant("addLast(group of %d)".formatted(threads),
                Map.of(LOOPS, "2", PINNED, Integer.toString(threads), EXECUTION, "event-loop"));
    }

    /** The gateway's own pool of platform threads. */
    public static Variant platformPool() {
        return new Variant("ours, platform threads", Map.of(LOOPS, "2", KIND, "platform"));
    }

    /** The gateway's own pool of virtual threads. */
    public static Variant virtualPool() {
        return new Variant("ours, virtual threads", Map.of(LOOPS, "2", KIND, "virtual"));
    }

    /** This one with another setting. */
    public Variant with(String key, String value) {
        var all = new TreeMap<>(settings);
        all.put(key, value);
        return new Variant(name, Map.copyOf(all));
    }
}
