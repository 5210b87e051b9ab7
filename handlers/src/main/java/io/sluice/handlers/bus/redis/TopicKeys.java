package io.sluice.handlers.bus.redis;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The keys and the channel of a set's topics. Those of a topic have the same hash tag, so that a cluster has
 * them on one node.
 */
final class TopicKeys {
    private final String prefix;
    private final String set;

    TopicKeys(String prefix, String set) {
        this.prefix = prefix;
        this.set = URLEncoder.encode(set, StandardCharsets.UTF_8); // without the : that follows
    }

    private String key(String kind, String topic) {
        return prefix + ':' + kind + ":{" + set + ':' + topic + '}';
    }

    /** Returns the key of the server's process, which all sets share. */
    String server() {
        return prefix + ":server";
    }

    String meta(String topic) {
        return key("meta", topic);
    }

    String stream(String topic) {
        return key("stream", topic);
    }

    String channel(String topic) {
        return key("channel", topic);
    }

    /** Returns the keys of who is in a topic, as presence.lua has them. */
    String[] presence(String topic) {
        return new String[] {key("presence-gateways", topic), key("presence-here", topic),
            key("presence-names", topic), key("presence-meta", topic)};
    }

    /** Returns the Redis key of a message's key, which has no } as a topic may have. */
    String idempotency(String topic, String key) {
        return key("key", topic) + URLEncoder.encode(key, StandardCharsets.UTF_8);
    }
}
