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
    /** More than this is sent as it is: an event loop would compress for milliseconds. */
    private static final int COMPRESS_UP_TO = 1024 * 1024;

    private static final MessageEncoding PLAIN = new MessageEncoding(0, 0);

    /** What was agreed on with a client; null for nothing. */
    static MessageEncoding of(PerMessageDeflate agreed, long compressFrom) {
        return agreed == null ? PLAIN : new MessageEncoding(agreed.windowBits(), compressFrom);
    }

    boolean compresses(int length) {
        return windowBits > 0 && length >= compressFrom && length <= COMPRESS_UP_TO;
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
