package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Close frames of WebSockets with the status 1001, going away (RFC 6455 sections 5.5.1 and 7.4.1). */
final class GoingAway {
    private static final int FINAL_CLOSE = 0x88;
    private static final int MASKED = 0x80;
    private static final int STATUS = 1001;

    private GoingAway() {
    }

    /** Returns the frame of a server, owned by the caller. */
    static ByteBuf frame(ByteBufAllocator allocator) {
        return allocator.buffer(4).writeByte(FINAL_CLOSE).writeByte(Short.BYTES).writeShort(STATUS);
    }

    /** Returns the frame of a client, owned by the caller; its mask is 0, which leaves bytes unchanged. */
    static ByteBuf maskedFrame(ByteBufAllocator allocator) {
        return allocator.buffer(8).writeByte(FINAL_CLOSE).writeByte(MASKED | Short.BYTES).writeInt(0)
                .writeShort(STATUS);
    }
}
