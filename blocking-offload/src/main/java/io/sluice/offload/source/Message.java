package io.sluice.offload.source;

import org.jspecify.annotations.Nullable;

/**
 * A message of a database.
 *
 * @param text whether the payload is UTF-8, not any bytes
 * @param payload not to be changed
 * @param key identifies the message: each attempt to hand it over has the same key
 * @param after the key of the previous message of the topic, while the sink may still refuse that one; the
 *     sink must refuse this message if it has refused the previous one; null for none
 */
public record Message(String topic, boolean text, byte[] payload, String key, @Nullable String after) {
    /** The approximate memory of a message besides its payload and topic, in bytes. */
    private static final int OVERHEAD = 256;

    /** Creates a message that may be taken at once. */
    public Message(String topic, boolean text, byte[] payload, String key) {
        this(topic, text, payload, key, null);
    }

    /** Returns this message with the key of the one before it; null for none. */
    Message after(@Nullable String before) {
        return new Message(topic, text, payload, key, before);
    }

    /** Returns the approximate memory in bytes. */
    long size() {
        return (long) payload.length + 2L * topic.length() + OVERHEAD;
    }
}
