package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.SharedMessage;

/**
 * How a socket takes messages: as they are, or compressed for its window. Equal for equal sockets, so that
 * a message for many is encoded once for each kind.
 *
 * @param windowBits 0 for no compression
 * @param compressFrom the smallest message that is compressed, in bytes
 */
record MessageEncoding(int windowBits, long compressFrom) implements SharedMessage.Encoding {
    /** In bytes. More is sent as it is: an event loop would compress for longer than a millisecond or two. */
    private static final int COMPRESS_UP_TO = 64 * 1024;
    /** The most windows in a message, as each is flushed, which takes as long as to compress a kilobyte. */
    private static final int MAX_WINDOWS = 64;

    private static final MessageEncoding PLAIN = new MessageEncoding(0, 0);

    /** What was agreed on with a client; null for nothing. */
    static MessageEncoding of(PerMessageDeflate agreed, long compressFrom) {
        return agreed == null ? PLAIN : new MessageEncoding(agreed.windowBits(), compressFrom);
    }

    boolean compresses(int length) {
        return windowBits > 0 && length >= compressFrom
                && length <= Math.min(COMPRESS_UP_TO, MAX_WINDOWS << windowBits);
    }

    /** One frame that is the whole message. */
    @Override
    public ByteBuf encode(boolean text, ByteBuf payload) {
        int opcode = text ? Opcode.TEXT : Opcode.BINARY;
        if (!compresses(payload.readableBytes())) {
            return FrameEncoder.frame(payload.alloc(), opcode, false, payload);
        }
        ByteBuf compressed = MessageDeflater.deflate(payload, windowBits);
        try {
            return FrameEncoder.frame(payload.alloc(), opcode, true, compressed);
        } finally {
            compressed.release();
        }
    }
}
