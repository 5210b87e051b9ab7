package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import java.util.function.Consumer;

/** A request's body, which came whole with its message. Confined to the event loop. */
final class RpcBody {
    private final boolean present;
    private final int size;
    /** Null once it was handed on or dropped. */
    private ByteBuf content;
    private BodyReader reader;
    private boolean dropped;

    /**
     * The body of a request that has just arrived.
     *
     * @param content owned by this from here on; null for none
     */
    RpcBody(ByteBuf content) {
        this.content = content;
        present = content != null;
        size = present ? content.readableBytes() : 0;
    }

    /** In bytes, as it came. */
    int size() {
        return size;
    }

    boolean present() {
        return present;
    }

    /** Throws 413 where it is longer than so many bytes. */
    void limit(long limit) {
        if (present && size > limit) {
            throw new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "the body is too large (expected: at most " + limit + " bytes)");
        }
    }

    /** Says who gets it. */
    void read(BodyReader to) {
        if (reader != null || dropped) {
            throw new IllegalStateException("the body is being read already");
        }
        reader = to;
    }

    /** Hands it to its reader. */
    void deliver() {
        if (dropped) {
            return;
        }
        ByteBuf whole = content;
        content = null;
        if (whole != null) {
            reader.content(whole);
        }
        reader.end(EmptyHttpHeaders.INSTANCE);
    }

    /** From here on it is of no interest. */
    void drop() {
        dropped = true;
        if (content != null) {
            content.release();
            content = null;
        }
    }

    /** For someone who wants it whole, as it came. */
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
