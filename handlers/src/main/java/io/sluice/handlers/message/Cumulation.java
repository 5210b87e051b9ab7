package io.sluice.handlers.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ByteToMessageDecoder.Cumulator;

/**
 * Joins the parts of a decoder's input. Where their buffer has to grow, a new one is taken from the
 * allocator, which uses the heap while direct memory is short. A pooled buffer that grows by itself does not
 * ask the allocator: once direct memory is exhausted, the event loop would wait for half a second and fail.
 */
public final class Cumulation {
    /** Takes the ownership of both buffers, and gives that of the returned one. */
    public static final Cumulator CUMULATOR = Cumulation::join;

    private Cumulation() {
    }

    private static ByteBuf join(ByteBufAllocator alloc, ByteBuf undecoded, ByteBuf in) {
        boolean grows = undecoded != in && undecoded.isReadable()
                && undecoded.maxFastWritableBytes() < in.readableBytes();
        return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc,
                grows ? larger(alloc, undecoded, in) : undecoded, in);
    }

    private static ByteBuf larger(ByteBufAllocator alloc, ByteBuf undecoded, ByteBuf in) {
        int length = undecoded.readableBytes() + in.readableBytes();
        ByteBuf larger;
        try {
            larger = alloc.buffer(alloc.calculateNewCapacity(length, Integer.MAX_VALUE));
        } catch (Throwable e) {
            in.release(); // the decoder keeps the other one
            throw e;
        }
        larger.writeBytes(undecoded);
        undecoded.release();
        return larger;
    }
}
