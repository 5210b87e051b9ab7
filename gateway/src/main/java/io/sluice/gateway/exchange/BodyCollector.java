package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.limits.PieceCollector;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects a whole body for an action, which gets a buffer that is released when it returns. */
final class BodyCollector implements BodyReader {
    /**
     * The largest initial piece in bytes. More are added only with received content, as a client can state
     * any length.
     */
    private static final int FIRST = 8 * 1024;
    /** In bytes. A larger one that comes at once takes most of its buffer, which may be 64 KiB. */
    private static final int COPIED = 32 * 1024;

    private final RequestBody body;
    private final Consumer<ByteBuf> action;
    private final PieceCollector pieces;
    /** The body if it is small and has arrived at once; null otherwise. */
    private @Nullable ByteBuf single;

    BodyCollector(RequestBody body, ByteBufAllocator alloc, ClientNetwork client, Consumer<ByteBuf> action) {
        this.body = body;
        this.action = action;
        pieces = new PieceCollector(alloc, client, Math.clamp(body.declared(), 256, FIRST));
    }

    @Override
    public boolean takesMemory(int bytes) {
        return !hasComeAtOnce() && pieces.takeMemory(bytes);
    }

    private boolean hasComeAtOnce() {
        return pieces.size() == 0 && body.complete();
    }

    @Override
    public boolean content(ByteBuf content) {
        if (hasComeAtOnce()) {
            if (content.readableBytes() <= MemoryShare.FREE_BODY) {
                single = content;
                return true;
            }
            if (content.readableBytes() > COPIED) {
                pieces.take(content);
                return true;
            }
        }
        try {
            pieces.write(content);
        } finally {
            content.release();
        }
        return true;
    }

    @Override
    public void end(HttpHeaders trailers) {
        ByteBuf whole = whole();
        try {
            action.accept(whole);
        } finally {
            whole.release();
        }
    }

    /** Releases what has been collected of a body that is not wanted any more. */
    void release() {
        whole().release();
    }

    private ByteBuf whole() {
        ByteBuf whole = single == null ? pieces.whole() : single;
        single = null;
        return whole;
    }
}
