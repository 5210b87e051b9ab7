package io.sluice.handlers.upstream.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes reads as another allocator does, but lets a connection read once in a turn of the event loop. One
 * read holds up to 7,000 frames of HTTP/2, and Netty would read 16 times before others have their turn.
 */
public final class SingleReads implements RecvByteBufAllocator {
    private final RecvByteBufAllocator sizes;

    private SingleReads(RecvByteBufAllocator sizes) {
        this.sizes = sizes;
    }

    /** Applies to all connections of a bootstrap, which has an allocator. */
    public static void of(Bootstrap client) {
        var sizes = (RecvByteBufAllocator) client.config().options().get(ChannelOption.RECVBUF_ALLOCATOR);
        client.option(ChannelOption.RECVBUF_ALLOCATOR, new SingleReads(sizes));
    }

    @Override
    @SuppressWarnings("deprecation") // the type is, which the method has to return
    public Handle newHandle() {
        return new Once(sizes.newHandle());
    }

    @SuppressWarnings("deprecation")
    private static final class Once extends DelegatingHandle implements ExtendedHandle {
        Once(Handle of) {
            super(of);
        }

        @Override
        public boolean continueReading() {
            return false;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier mayBeMore) {
            return false;
        }
    }
}
