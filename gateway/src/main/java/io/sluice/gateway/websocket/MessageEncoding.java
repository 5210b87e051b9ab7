package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.SharedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of messages to a socket: plain, or compressed for the client's window. Sockets with equal
 * encodings share the encoded form of a message to many.
 *
 * @param windowBits log2 of the client's window; 0 for no compression
 * @param compressFrom the smallest message that is compressed, in bytes
 */
record MessageEncoding(int windowBits, long compressFrom) implements SharedMessage.Encoding {
    /**
     * In bytes. Longer messages are sent uncompressed: compressing them would take an event loop more than a
     * millisecond or two.
     */
    private static final int COMPRESS_UP_TO = 64 * 1024;
    /**
     * The most windows in a compressed message; each is flushed, which takes as long as compressing 1 KiB.
     */
    private static final int MAX_WINDOWS = 64;

    private static final MessageEncoding PLAIN = new MessageEncoding(0, 0);

    /**
     * The encoding for a client.
     *
     * @param agreed the negotiated compression; null for none
     */
    static MessageEncoding of(@Nullable PerMessageDeflate agreed, long compressFrom) {
        return agreed == null ? PLAIN : new MessageEncoding(agreed.windowBits(), compressFrom);
    }

    boolean compresses(int length) {
        return windowBits > 0 && length >= compressFrom
                && length <= Math.min(COMPRESS_UP_TO, MAX_WINDOWS << windowBits);
    }

    /** Encodes the message as one frame, owned by the caller. */
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
