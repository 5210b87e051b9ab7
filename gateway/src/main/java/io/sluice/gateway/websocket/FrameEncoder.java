package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Encodes whole messages as single, unmasked frames, as a server does (RFC 6455 section 5.2). */
final class FrameEncoder {
    private static final int MAX_HEADER = 10;

    private FrameEncoder() {
    }

    /** Returns the length of the header in front of a payload of this length, both in bytes. */
    static int headerLength(int length) {
        return length < 126 ? 2 : length < 65_536 ? 4 : MAX_HEADER;
    }

    /** Appends the header of a frame that carries a whole message. */
    static void writeHeader(ByteBuf to, int opcode, boolean compressed, int length) {
        to.writeByte(0x80 | (compressed ? 0x40 : 0) | opcode);
        if (length < 126) {
            to.writeByte(length);
        } else if (length < 65_536) {
            to.writeByte(126).writeShort(length);
        } else {
            to.writeByte(127).writeLong(length);
        }
    }

    /** Returns a frame in one buffer, owned by the caller; the payload is copied and stays its caller's. */
    static ByteBuf frame(ByteBufAllocator alloc, int opcode, boolean compressed, ByteBuf payload) {
        int length = payload.readableBytes();
        ByteBuf frame = alloc.buffer(headerLength(length) + length);
        writeHeader(frame, opcode, compressed, length);
        return frame.writeBytes(payload, payload.readerIndex(), length);
    }
}
