package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;

/**
 * Follows the frames of a WebSocket (RFC 6455 section 5.2) through bytes that pass, so that a frame can be
 * inserted between two of them. Confined to the event loop.
 */
final class FrameBoundary {
    private static final int LENGTH_OF_16_BITS = 126;
    private static final int LENGTH_OF_64_BITS = 127;
    private static final int MIN_HEADER = 2;
    private static final int MASK = 4;
    private static final int CLOSE = 8;

    /** The bytes of the header that are known to be missing. */
    private int headerLeft = MIN_HEADER;
    private int headerRead;
    /** The bytes of the extended length that are missing. */
    private int lengthLeft;
    private int opcode;
    private boolean masked;
    /** Unsigned: the highest bit of a length must be 0, but who sends it is not to be trusted. */
    private long payloadLeft;

    /** Returns whether the last byte was the last of a frame. */
    boolean isReached() {
        return headerRead == 0 && payloadLeft == 0;
    }

    /** Returns whether another frame may be sent: between two frames, and not after a Close. */
    boolean takesFrame() {
        return isReached() && !isAtClose();
    }

    /** Returns whether the last frame that has begun is a Close. */
    boolean isAtClose() {
        return opcode == CLOSE;
    }

    /** Follows all bytes of a buffer, which it does not consume; returns their end. */
    int follow(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            at = step(bytes, at);
        }
        return at;
    }

    /** Follows the bytes of the current frame; returns its end, or that of the buffer. */
    int followOne(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex() && (at == bytes.readerIndex() || !isReached())) {
            at = step(bytes, at);
        }
        return at;
    }

    /** Follows a byte of a header, or as much of a payload as there is. */
    private int step(ByteBuf bytes, int from) {
        int at = from;
        if (headerLeft > 0) {
            header(bytes.getUnsignedByte(at++));
        } else {
            int arrived = bytes.writerIndex() - at;
            int passed = Long.compareUnsigned(payloadLeft, arrived) < 0 ? (int) payloadLeft : arrived;
            payloadLeft -= passed;
            at += passed;
        }
        if (headerLeft == 0 && payloadLeft == 0) {
            headerLeft = MIN_HEADER;
            headerRead = 0;
        }
        return at;
    }

    private void header(int octet) {
        headerRead++;
        headerLeft--;
        if (headerRead == 1) {
            opcode = octet & 0x0F;
        } else if (headerRead == MIN_HEADER) {
            masked = (octet & 0x80) != 0;
            int length = octet & 0x7F;
            lengthLeft = length == LENGTH_OF_16_BITS ? Short.BYTES
                    : length == LENGTH_OF_64_BITS ? Long.BYTES : 0;
            payloadLeft = lengthLeft == 0 ? length : 0;
            headerLeft = lengthLeft + (masked ? MASK : 0);
        } else if (lengthLeft > 0) {
            lengthLeft--;
            payloadLeft = payloadLeft << Byte.SIZE | octet;
        }
    }
}
