package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects a whole body for an action, which gets a buffer that is released when it returns. */
final class BodyCollector implements BodyReader {
    /**
     * The largest initial buffer in bytes. It grows only with received content, as a client can state any
     * length.
     */
    private static final int FIRST = 8 * 1024;

    private final RequestBody body;
    private final ByteBufAllocator alloc;
    private final Consumer<ByteBuf> action;
    private @Nullable ByteBuf collected;

    BodyCollector(RequestBody body, ByteBufAllocator alloc, Consumer<ByteBuf> action) {
        this.body = body;
        this.alloc = alloc;
        this.action = action;
    }

    @Override
    public boolean content(ByteBuf content) {
        if (collected == null && body.complete()) {
            collected = content;
            return true;
        }
        try {
            requireRoom(content);
            if (collected == null) {
                collected = alloc.buffer(Math.clamp(body.declared(), 256, FIRST));
            }
            collected.writeBytes(content);
        } finally {
            content.release();
        }
        return true;
    }

    private void requireRoom(ByteBuf content) {
        boolean takesMore = collected == null || collected.writableBytes() < content.readableBytes();
        if (takesMore && DirectMemory.isShort()) {
            body.expire();
            throw HttpException.tryAgain("the gateway is short of memory for the body", null);
        }
    }

    @Override
    public void end(HttpHeaders trailers) {
        ByteBuf whole = collected == null ? Unpooled.EMPTY_BUFFER : collected;
        collected = null;
        try {
            action.accept(whole);
        } finally {
            whole.release();
        }
    }

    /** Releases what has been collected of a body that is not wanted any more. */
    void release() {
        if (collected != null) {
            collected.release();
            collected = null;
        }
    }
}
