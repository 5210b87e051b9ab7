package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;

/**
 * Makes room for messages that arrive in pieces. A buffer grows by copying, and one larger than the chunks of
 * the buffer pool is filled with zeros first; so a long message continues in parts.
 */
final class LongMessages {
    /** In bytes. */
    private static final int PART = 1 << 20;
    /** More than the longest message has: beyond that, a composite buffer copies its parts into one. */
    private static final int MAX_PARTS = 64;

    private LongMessages() {
    }

    /** Returns a message as it is; a long one as a buffer of parts, which takes over its ownership. */
    static ByteBuf inParts(ByteBuf message) {
        return message.readableBytes() < PART / 2 || message instanceof CompositeByteBuf ? message
                : message.alloc().compositeBuffer(MAX_PARTS).addComponent(true, message);
    }

    /** Gives back unused room behind a message in parts: Netty may append what is written behind it there. */
    static void trim(ByteBuf message) {
        if (message instanceof CompositeByteBuf) {
            message.capacity(message.writerIndex());
        }
    }

    /** Makes room in a buffer of {@link #inParts}. */
    static void ensureWritable(ByteBuf message, int bytes) {
        if (message instanceof CompositeByteBuf && message.writableBytes() < bytes) {
            message.capacity(message.capacity() + Math.max(PART, bytes));
        } else {
            message.ensureWritable(bytes);
        }
    }
}
