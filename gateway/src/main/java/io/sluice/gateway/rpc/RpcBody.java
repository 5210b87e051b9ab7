package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The body of a request, which arrived whole in its message. Confined to the event loop. */
final class RpcBody {
    private final boolean present;
    private final int size;
    /** The body; null once it was handed on or dropped. */
    private @Nullable ByteBuf content;
    private @Nullable BodyReader reader;
    private boolean dropped;

    /**
     * The body of a request that has just arrived.
     *
     * @param content owned by this object from here on; null for none
     */
    RpcBody(@Nullable ByteBuf content) {
        this.content = content;
        present = content != null;
        size = content == null ? 0 : content.readableBytes();
    }

    /** Returns the length in bytes. */
    int size() {
        return size;
    }

    boolean present() {
        return present;
    }

    /** Throws a 413 if the body is longer than the limit, in bytes. */
    void limit(long limit) {
        if (present && size > limit) {
            throw new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "the body is too large (expected: at most " + limit + " bytes)");
        }
    }

    /** Sets the reader, to which {@link #deliver()} passes the body. */
    void read(BodyReader to) {
        if (reader != null || dropped) {
            throw new IllegalStateException("the body is being read already");
        }
        reader = to;
    }

    /** Passes the body to its reader. */
    void deliver() {
        BodyReader to = reader;
        if (dropped || to == null) {
            return;
        }
        ByteBuf whole = content;
        content = null;
        if (whole != null) {
            to.content(whole);
        }
        to.end(EmptyHttpHeaders.INSTANCE);
    }

    /** Releases the body unless it was delivered; it will not be delivered. */
    void drop() {
        dropped = true;
        if (content != null) {
            content.release();
            content = null;
        }
    }

    /** Returns a reader that passes the whole body to an action and releases it after that. */
    static BodyReader whole(Consumer<ByteBuf> action) {
        return new BodyReader() {
            private ByteBuf whole = Unpooled.EMPTY_BUFFER;

            @Override
            public boolean content(ByteBuf content) {
                whole = content;
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                try {
                    action.accept(whole);
                } finally {
                    whole.release();
                }
            }
        };
    }
}
