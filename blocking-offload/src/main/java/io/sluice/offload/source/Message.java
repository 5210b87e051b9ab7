package io.sluice.offload.source;

import org.jspecify.annotations.Nullable;

/**
 * A message of a database.
 *
 * @param text whether the payload is UTF-8, not any bytes
 * @param payload not to be changed
 * @param key the same for each attempt to hand the message on, and that of no other message
 * @param after the key of a message of the topic that may not have been taken, and before which this one must
 *     not be; null for none
 */
public record Message(String topic, boolean text, byte[] payload, String key, @Nullable String after) {
    /** The approximate memory of a message besides its texts: objects of its own and of its way. */
    private static final int OVERHEAD = 256;

    /** Creates a message that may be taken at once. */
    public Message(String topic, boolean text, byte[] payload, String key) {
        this(topic, text, payload, key, null);
    }

    /** Returns this message for a place behind the one with the given key, if that is not null. */
    Message after(@Nullable String before) {
        return new Message(topic, text, payload, key, before);
    }

    /** Returns the approximate memory in bytes. */
    long size() {
        return (long) payload.length + 2L * topic.length() + OVERHEAD;
    }
}
