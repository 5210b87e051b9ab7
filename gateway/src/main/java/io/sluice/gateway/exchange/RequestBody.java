package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.Exchange.BodyReader;
import io.sluice.handlers.HttpException;
import java.util.function.Consumer;

/**
 * A request's body on its way in. Content waits in the channel until someone asks for it; once the
 * request has its answer, the rest is dropped. Confined to the event loop.
 */
public final class RequestBody {
    private final ChannelHandlerContext ctx;
    /** In bytes. Until a filter has set one, it bounds what is dropped of a body for the next request. */
    private long limit = 64 * 1024;
    private boolean limited;
    /** -1 where the head does not tell. */
    private final long declared;
    private boolean continueAwaited;
    private long received;
    private BodyReader reader;
    private boolean paused;
    private boolean dropping;
    private boolean complete;
    private boolean broken;

    private RequestBody(ChannelHandlerContext ctx, long declared, boolean continueAwaited) {
        this.ctx = ctx;
        this.declared = declared;
        this.continueAwaited = continueAwaited;
    }

    /**
     * The body of a request that has just arrived.
     *
     * @param follows whether there is one where the head tells no length
     */
    public static RequestBody of(ChannelHandlerContext ctx, HttpRequest request, boolean follows) {
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        long declared = length != null ? Long.parseLong(length) : follows ? -1 : 0;
        return new RequestBody(ctx, declared,
                declared != 0 && HttpUtil.is100ContinueExpected(request));
    }

    /** The body of a request whose head is not to be trusted. */
    static RequestBody none(ChannelHandlerContext ctx) {
        return new RequestBody(ctx, 0, false);
    }

    boolean present() {
        return declared != 0;
    }

    public boolean complete() {
        return complete;
    }

    /** Whether it was too large, malformed or too slow: nobody knows where the next request begins. */
    public boolean broken() {
        return broken;
    }

    /**
     * Whether the next request can be found behind this body: it is neither broken nor too large to be
     * dropped, and it will come, which nobody knows of a client that may still be waiting for 100.
     */
    public boolean canBeSkipped() {
        return !broken && declared <= limit && !continueAwaited();
    }

    private boolean continueAwaited() {
        return continueAwaited && received == 0;
    }

    /** Limits it to so many bytes, or fewer as before. Throws 413 where its head tells that it is longer. */
    void limit(long bytes) {
        limit = limited ? Math.min(limit, bytes) : bytes;
        limited = true;
        if (declared > limit) {
            throw tooLarge();
        }
    }

    private HttpException tooLarge() {
        return new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                "the body is too large (expected: at most " + limit + " bytes)");
    }

    /** Whether content may come now; what may not waits. */
    public boolean wants(HttpContent content) {
        boolean empty = content instanceof LastHttpContent && !content.content().isReadable();
        return !present() && empty || wantsMore();
    }

    /** Whether content that is not the last may come now. */
    public boolean wantsMore() {
        return dropping || reader != null && !paused;
    }

    /** Whether somebody waits until the client sends more of it. */
    public boolean isAwaited() {
        return !complete && !broken && (dropping || reader != null && !paused);
    }

    /** Bytes of it that somebody has taken, or that were dropped. */
    public long received() {
        return received;
    }

    /** From here on the body goes to a reader. */
    void read(BodyReader to) {
        if (reader != null || dropping) {
            throw new IllegalStateException("the body is being read already");
        }
        reader = to;
        if (takesContinue()) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE,
                    Unpooled.EMPTY_BUFFER));
        }
    }

    /** Whether the client waits for 100, which it gets now. */
    boolean takesContinue() {
        boolean waits = continueAwaited();
        continueAwaited = false;
        return waits;
    }

    /** Tells a reader of the end of a body that was complete before it was read. */
    void end() {
        if (!dropping) {
            reader.end(EmptyHttpHeaders.INSTANCE);
        }
    }

    void resume() {
        paused = false;
    }

    /** It has taken too long: what has not come by now is not waited for. */
    void expire() {
        broken |= !complete;
    }

    /** From here on the body is of no interest. */
    void drop() {
        dropping = true;
        if (reader instanceof Collector collector) {
            collector.release();
        }
    }

    /** Takes the end of a body in which nobody is interested, as most are. */
    boolean endsUnread(HttpContent content) {
        if (content != LastHttpContent.EMPTY_LAST_CONTENT || reader != null && !dropping) {
            return false;
        }
        complete = true;
        return true;
    }

    /**
     * Takes content, and releases it or hands it on.
     *
     * @throws HttpException 400 or 431 where it is malformed, 413 where it is too much
     */
    void content(HttpContent content) {
        boolean handedOn = false;
        try {
            if (content.decoderResult().isFailure()) {
                broken = true;
                throw RequestHead.refusal(content.decoderResult());
            }
            received += content.content().readableBytes();
            if (received > limit) {
                broken = true;
                throw tooLarge();
            }
            complete = content instanceof LastHttpContent;
            if (dropping || reader == null) {
                return;
            }
            if (content.content().isReadable()) {
                handedOn = true;
                paused = !reader.content(content.content());
            }
            if (content instanceof LastHttpContent last) {
                reader.end(last.trailingHeaders());
            }
        } finally {
            if (!handedOn) {
                content.release();
            }
        }
    }

    /** Collects a body for someone who wants it whole. */
    BodyReader collector(Consumer<ByteBuf> action) {
        return new Collector(action);
    }

    private final class Collector implements BodyReader {
        /** More only for what has come: a length costs its client nothing. */
        private static final int FIRST = 8 * 1024;

        private final Consumer<ByteBuf> action;
        private ByteBuf collected;

        Collector(Consumer<ByteBuf> action) {
            this.action = action;
        }

        @Override
        public boolean content(ByteBuf content) {
            if (collected == null && complete) {
                collected = content;
                return true;
            }
            try {
                requireRoom(content);
                if (collected == null) {
                    collected = ctx.alloc().buffer(Math.clamp(declared, 256, FIRST));
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
                broken = true;
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

        void release() {
            if (collected != null) {
                collected.release();
                collected = null;
            }
        }
    }
}
