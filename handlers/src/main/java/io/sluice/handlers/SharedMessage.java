package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message for many WebSockets. An event loop encodes it once for each encoding that its sockets use, unless
 * another loop has done so. Loops do not wait for each other. Reference-counted: retain it to keep it.
 */
public final class SharedMessage extends AbstractReferenceCounted {
    private final boolean text;
    private final ByteBuf payload;
    /** The newest encoded form; each links to the one before. */
    private final AtomicReference<Encoded> encoded = new AtomicReference<>();

    private record Encoded(Encoding encoding, ByteBuf bytes, @Nullable Encoded before) {
    }

    /** Converts a payload to the bytes for a socket. Equal encodings must produce equal bytes. */
    @FunctionalInterface
    public interface Encoding {

        /**
         * Encodes a payload. May be called on several threads at once.
         *
         * @param payload owned by the message; must not be released or changed
         * @return owned by the caller
         */
        ByteBuf encode(boolean text, ByteBuf payload);
    }

    /**
     * Creates a message.
     *
     * @param payload owned by the message from here on; UTF-8 if it is text
     */
    public SharedMessage(boolean text, ByteBuf payload) {
        this.text = text;
        this.payload = payload;
    }

    /** Returns the payload's size in bytes. */
    public int size() {
        return payload.readableBytes();
    }

    /** Returns the bytes in an encoding, in memory shared by all its callers; owned by the caller. */
    public ByteBuf as(Encoding encoding) {
        ByteBuf bytes = find(encoding, encoded.get());
        if (bytes == null) {
            bytes = keep(encoding, encoding.encode(text, payload));
        }
        return bytes.retainedDuplicate();
    }

    /** Returns the memory of the encoded forms so far, in bytes. */
    public long encodedBytes() {
        long sum = 0;
        for (Encoded one = encoded.get(); one != null; one = one.before) {
            sum += one.bytes.capacity();
        }
        return sum;
    }

    /** Returns the bytes of an encoding that is used once; owned by the caller. */
    public ByteBuf with(Encoding encoding) {
        return encoding.encode(text, payload);
    }

    /** Returns the message without its encoded forms, in the same memory; owned by the caller. */
    public SharedMessage unencoded() {
        return new SharedMessage(text, payload.retainedDuplicate());
    }

    /** Stores new bytes, unless another event loop was faster; then they are released. */
    private ByteBuf keep(Encoding encoding, ByteBuf bytes) {
        while (true) {
            Encoded newest = encoded.get();
            ByteBuf found = find(encoding, newest);
            if (found != null) {
                bytes.release();
                return found;
            }
            if (encoded.compareAndSet(newest, new Encoded(encoding, bytes, newest))) {
                return bytes;
            }
        }
    }

    private static @Nullable ByteBuf find(Encoding encoding, @Nullable Encoded newest) {
        for (Encoded one = newest; one != null; one = one.before) {
            if (one.encoding.equals(encoding)) {
                return one.bytes;
            }
        }
        return null;
    }

    @Override
    protected void deallocate() {
        payload.release();
        for (Encoded one = encoded.get(); one != null; one = one.before) {
            one.bytes.release();
        }
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
