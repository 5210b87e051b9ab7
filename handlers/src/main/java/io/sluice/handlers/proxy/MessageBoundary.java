package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;

/**
 * Follows the messages of a gRPC call through bytes that pass: a flag, the length in 4 bytes, and as many
 * bytes. Confined to the event loop.
 */
final class MessageBoundary {
    private static final int HEADER = 5;

    private int headerRead;
    /** The length as far as it has been read, and then the bytes of the message that are missing. */
    private long left;

    /** Returns whether no message has begun that has not ended. */
    boolean isReached() {
        return headerRead == 0;
    }

    /**
     * Follows all bytes of a buffer, which it does not consume.
     *
     * @return the largest length that a message states whose header ends here; 0 without such a header
     */
    long follow(ByteBuf bytes) {
        long largest = 0;
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            if (headerRead < HEADER) {
                left = headerRead == 0 ? 0 : left << Byte.SIZE | bytes.getUnsignedByte(at);
                headerRead++;
                at++;
                largest = headerRead == HEADER ? Math.max(largest, left) : largest;
            } else {
                long passed = Math.min(left, bytes.writerIndex() - at);
                left -= passed;
                at += (int) passed;
            }
            if (headerRead == HEADER && left == 0) {
                headerRead = 0;
            }
        }
        return largest;
    }
}
