package io.sluice.offload.source;

/**
 * A message of a database.
 *
 * @param text whether the payload is UTF-8, not any bytes
 * @param payload not to be changed
 * @param key the same for each attempt to hand the message on, and that of no other message
 */
public record Message(String topic, boolean text, byte[] payload, String key) {
    /** The approximate memory of a message beside its texts: objects of its own and of its way. */
    private static final int OVERHEAD = 256;

    /** Returns the approximate memory in bytes. */
    long size() {
        return (long) payload.length + 2L * topic.length() + OVERHEAD;
    }
}
