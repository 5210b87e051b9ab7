package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A message for many sockets, which an event loop encodes once for each way in which its sockets take it, or
 * not at all where another loop has done so. No loop waits for another. Reference-counted: whoever keeps it
 * retains it.
 */
public final class SharedMessage extends AbstractReferenceCounted {
    private final boolean text;
    private final ByteBuf payload;
    /** The newest; each has the one before. */
    private final AtomicReference<Encoded> encoded = new AtomicReference<>();

    private record Encoded(Encoding encoding, ByteBuf bytes, Encoded before) {
    }

    /** From a payload to the bytes that go to a socket. Equal encodings make equal bytes. */
    @FunctionalInterface
    public interface Encoding {

        /**
         * Encodes, maybe on several threads at once.
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

    /** The bytes for a socket, sharing memory with others of that encoding; owned by the caller. */
    public ByteBuf as(Encoding encoding) {
        ByteBuf bytes = find(encoding, encoded.get());
        if (bytes == null) {
            bytes = keep(encoding, encoding.encode(text, payload));
        }
        return bytes.retainedDuplicate();
    }

    /** In how many ways it has been encoded. */
    public int encodings() {
        int encodings = 0;
        for (Encoded one = encoded.get(); one != null; one = one.before) {
            encodings++;
        }
        return encodings;
    }

    /** Keeps new bytes, unless another event loop was faster. */
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

    private static ByteBuf find(Encoding encoding, Encoded newest) {
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
