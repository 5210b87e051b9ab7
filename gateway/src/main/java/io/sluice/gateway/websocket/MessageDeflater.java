package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import java.util.zip.Deflater;

/** Compresses a message for permessage-deflate (RFC 7692 section 7.2.1). */
final class MessageDeflater {
    private static final int STEP = 8 * 1024;
    /** The length of 00 00 FF FF, with which a flush ends and which is not sent. */
    private static final int TAIL = 4;

    private MessageDeflater() {
    }

    /**
     * Compresses a message. On the event loop.
     *
     * @param payload stays the caller's
     * @param windowBits log2 of the client's window: a full flush after as many bytes keeps references from
     *     reaching further back
     * @return the compressed message, owned by the caller
     */
    static ByteBuf deflate(ByteBuf payload, int windowBits) {
        Deflater deflater = Compressors.ofThisThread().deflater();
        int length = payload.readableBytes();
        int window = windowBits == PerMessageDeflate.MAX_WINDOW_BITS ? length : 1 << windowBits;
        ByteBuf compressed = payload.alloc().buffer(Math.max(64, length / 2));
        try {
            int at = 0;
            do {
                int part = Math.min(window, length - at);
                deflater.setInput(payload.nioBuffer(payload.readerIndex() + at, part));
                at += part;
                drain(deflater, compressed, at < length ? Deflater.FULL_FLUSH : Deflater.SYNC_FLUSH);
            } while (at < length);
            return compressed.writerIndex(compressed.writerIndex() - TAIL);
        } catch (Throwable e) { // memory may have run out
            compressed.release();
            throw e;
        }
    }

    private static void drain(Deflater deflater, ByteBuf to, int flush) {
        int written;
        int room;
        do {
            to.ensureWritable(to.writableBytes() > TAIL * 2 ? 1 : STEP);
            room = to.writableBytes();
            written = deflater.deflate(to.internalNioBuffer(to.writerIndex(), room), flush);
            to.writerIndex(to.writerIndex() + written);
        } while (written == room);
    }
}
