package io.sluice.gateway.rpc;

import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/** A long message, which is a buffer of parts. It must not be merged into one. */
final class Parts extends CompositeByteBuf {

    Parts(byte[] bytes, int first) {
        super(PooledByteBufAllocator.DEFAULT, true, 4);
        addComponents(true, Unpooled.wrappedBuffer(bytes, 0, first),
                Unpooled.wrappedBuffer(bytes, first, bytes.length - first));
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
        throw new AssertionError("a copy of all parts");
    }
}
