package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes reads from connections as Netty does, up to a limit, and reads small pieces while direct memory is
 * short. Each connection has one read in a round of its event loop, as with every allocator that is set as an
 * option; Netty's own has sixteen.
 */
public final class FrugalReads extends AdaptiveRecvByteBufAllocator {
    /** In bytes: enough for a request without a body, which can still be answered. */
    private static final int SMALL = 2048;
    /**
     * In bytes. With the unsent bytes of a proxied body, that is 64 KiB at most. Reads of 32 KiB would cost
     * a fifth more CPU time for a body of 1 MB, and those of 64 KiB no less.
     */
    private static final int MOST = 48 * 1024;

    @Override
    @SuppressWarnings("deprecation") // the type is, which the method has to return
    public RecvByteBufAllocator.Handle newHandle() {
        return new FrugalHandle((RecvByteBufAllocator.ExtendedHandle) super.newHandle());
    }

    @SuppressWarnings("deprecation")
    private static final class FrugalHandle extends RecvByteBufAllocator.DelegatingHandle
            implements RecvByteBufAllocator.ExtendedHandle {
        private final RecvByteBufAllocator.ExtendedHandle handle;

        FrugalHandle(RecvByteBufAllocator.ExtendedHandle handle) {
            super(handle);
            this.handle = handle;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator alloc) {
            return alloc.ioBuffer(DirectMemory.isShort() ? SMALL : Math.min(guess(), MOST));
        }

        /** Called by transports other than NIO. */
        @Override
        public boolean continueReading(UncheckedBooleanSupplier mayBeMore) {
            return handle.continueReading(mayBeMore);
        }
    }
}
