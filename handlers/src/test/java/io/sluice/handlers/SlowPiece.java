package io.sluice.handlers;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.concurrent.CompletableFuture;

/** A buffer that another thread copies until the test says that it is done. */
public final class SlowPiece extends UnpooledHeapByteBuf {
    /** Completes when the copy has begun. */
    public final CompletableFuture<Void> begun = new CompletableFuture<>();
    public final CompletableFuture<Void> done = new CompletableFuture<>();

    public SlowPiece(byte[] bytes) {
        super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.length);
    }

    @Override
    public byte[] array() {
        begun.complete(null);
        done.join();
        return super.array();
    }
}
