package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.limits.BodyPieces;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects a whole body for an action, which gets a buffer that is released when it returns. */
final class BodyCollector implements BodyReader {
    /**
     * The largest initial piece in bytes. More are added only with received content, as a client can state
     * any length.
     */
    private static final int FIRST = 8 * 1024;

    private final RequestBody body;
    private final Consumer<ByteBuf> action;
    private final BodyPieces pieces;
    /** The body if it has arrived at once; null for one in pieces. */
    private @Nullable ByteBuf single;

    BodyCollector(RequestBody body, ByteBufAllocator alloc, Consumer<ByteBuf> action) {
        this.body = body;
        this.action = action;
        pieces = new BodyPieces(alloc, Math.clamp(body.declared(), 256, FIRST));
    }

    @Override
    public boolean content(ByteBuf content) {
        if (pieces.size() == 0 && body.complete()) {
            single = content;
            return true;
        }
        try {
            requireRoom(content);
            pieces.write(content);
        } finally {
            content.release();
        }
        return true;
    }

    private void requireRoom(ByteBuf content) {
        if (pieces.takeMemory(content.readableBytes()) && DirectMemory.isShort()) {
            body.expire();
            throw HttpException.tryAgain("the gateway is short of memory for the body", null);
        }
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
