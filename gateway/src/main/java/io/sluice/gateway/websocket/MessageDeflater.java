package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import java.util.zip.Deflater;

/** Compresses a message for permessage-deflate (RFC 7692 section 7.2.1). */
final class MessageDeflater {
    private static final int STEP = 8 * 1024;
    /** The end of what a flush writes: 00 00 FF FF is left out. */
    private static final int TAIL = 4;

    private MessageDeflater() {
    }

    /**
     * Compresses.
     *
     * @param payload stays its owner's
     * @param windowBits what the client can look back, as a power of two: with a full flush after as many
     *     bytes, nothing refers to what lies further back
     * @return owned by the caller
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
