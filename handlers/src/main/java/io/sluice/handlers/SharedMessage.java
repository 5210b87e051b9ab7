package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import java.util.HashMap;
import java.util.Map;

/**
 * A message for many sockets, which is encoded once for each way in which sockets take it. Safe to send
 * from several event loops at once. Reference-counted: whoever keeps it retains it.
 */
public final class SharedMessage extends AbstractReferenceCounted {
    private final boolean text;
    private final ByteBuf payload;
    private final Map<Encoding, ByteBuf> encoded = new HashMap<>(4);

    /** From a payload to the bytes that go to a socket. Equal encodings make equal bytes. */
    @FunctionalInterface
    public interface Encoding {

        /**
         * Encodes.
         *
         * @param payload stays its owner's
         * @return owned by the caller
         */
        ByteBuf encode(boolean text, ByteBuf payload);
    }

    /**
     * A message.
     *
     * @param payload owned by the message from here on; UTF-8 where it is text
     */
    public SharedMessage(boolean text, ByteBuf payload) {
        this.text = text;
        this.payload = payload;
    }

    /** The payload's size in bytes. */
    public int size() {
        return payload.readableBytes();
    }

    /** The bytes for a socket, sharing memory with all others of that encoding; owned by the caller. */
    public synchronized ByteBuf as(Encoding encoding) {
        return encoded.computeIfAbsent(encoding, e -> e.encode(text, payload)).retainedDuplicate();
    }

    @Override
    protected synchronized void deallocate() {
        payload.release();
        encoded.values().forEach(ByteBuf::release);
    }

    @Override
    public SharedMessage touch(Object hint) {
        payload.touch(hint);
        return this;
    }

    @Override
    public SharedMessage retain() {
        super.retain();
        return this;
    }
}
