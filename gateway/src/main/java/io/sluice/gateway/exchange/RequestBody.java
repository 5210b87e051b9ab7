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
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. Content waits in the channel until a reader demands it; after the response, the rest
 * is dropped. Confined to the event loop.
 */
public final class RequestBody {
    private final ChannelHandlerContext ctx;
    /** The most bytes. Until a filter sets a limit, it only bounds what is dropped of an unread body. */
    private long limit = 64 * 1024;
    private boolean limited;
    /** The length stated by the head in bytes; -1 if unknown. */
    private final long declared;
    private boolean continueAwaited;
    private long received;
    private int arriving;
    private @Nullable BodyReader reader;
    /** Runs after the reader has got the end of the body; null for none. */
    private @Nullable Runnable whenRead;
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
     * Creates the body of a request that has just arrived.
     *
     * @param follows whether a body follows even if the head states no length
     */
    public static RequestBody of(ChannelHandlerContext ctx, HttpRequest request, boolean follows) {
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        long declared = length != null ? Long.parseLong(length) : follows ? -1 : 0;
        return new RequestBody(ctx, declared,
                declared != 0 && HttpUtil.is100ContinueExpected(request));
    }

    /** Creates the absent body of a request whose head cannot be trusted. */
    static RequestBody none(ChannelHandlerContext ctx) {
        return new RequestBody(ctx, 0, false);
    }

    boolean present() {
        return declared != 0;
    }

    /** Returns the length stated by the head in bytes; -1 if unknown. */
    long declared() {
        return declared;
    }

    public boolean complete() {
        return complete;
    }

    /**
     * Returns whether the body was too large, malformed or too slow, or memory was short. The start of the
     * next request is then unknown.
     */
    public boolean broken() {
        return broken;
    }

    /**
     * Returns whether the next request can be found after this body: it is neither broken nor too large to
     * drop, and the client will send it. A client that may still wait for 100 might not.
     */
    public boolean canBeSkipped() {
        return !broken && declared <= limit && !continueAwaited();
    }

    private boolean continueAwaited() {
        return continueAwaited && received == 0;
    }

    /**
     * Limits the body to so many bytes; an earlier lower limit remains. Throws 413 if the stated length
     * exceeds it.
     */
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

    /** Returns whether content may be delivered now. Otherwise it waits in the channel. */
    public boolean wants(HttpContent content) {
        boolean empty = content instanceof LastHttpContent && !content.content().isReadable();
        return !present() && empty || wantsMore();
    }

    /** Returns whether content other than the last may be delivered now. */
    public boolean wantsMore() {
        return dropping || reader != null && !paused;
    }

    /** Returns whether the reader has not got the end, and wants no more for now. */
    public boolean isPaused() {
        return paused && !dropping && !complete;
    }

    /** Returns whether the body waits for the client to send more. */
    public boolean isAwaited() {
        return !complete && !broken && (dropping || reader != null && !paused && !continueAwaited());
    }

    /** Returns how many bytes have been delivered or dropped. */
    public long received() {
        return received;
    }

    /** Reports how many bytes have arrived of a frame whose end is missing. */
    public void arriving(int bytes) {
        arriving = bytes;
    }

    /** Returns whether a frame has arrived in part. */
    boolean isWithinFrame() {
        return arriving > 0;
    }

    /** Returns how many bytes have been received, with those that are not delivered yet. */
    public long progress() {
        return received + arriving;
    }

    /** Delivers the body to a reader from here on. Sends 100, if awaited, unless the handler will do that. */
    void read(BodyReader to) {
        if (reader != null || dropping) {
            throw new IllegalStateException("the body is being read already");
        }
        reader = to;
        if (to.sendsContinue() && takeContinue()) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE,
                    Unpooled.EMPTY_BUFFER));
        }
    }

    /** Runs an action when the reader has got the whole body; drops the body if there is no reader. */
    void whenRead(Runnable action) {
        whenRead = action;
        if (reader == null) {
            read(new Discarder());
        }
    }

    /** Returns whether the client waits for 100, and marks it as sent. */
    boolean takeContinue() {
        boolean waits = continueAwaited();
        continueAwaited = false;
        return waits;
    }

    /** Reports the end of a body that was complete before it had a reader. */
    void end() {
        end(EmptyHttpHeaders.INSTANCE);
    }

    private void end(HttpHeaders trailers) {
        if (!dropping && reader != null) {
            reader.end(trailers);
        }
        if (!dropping && whenRead != null) {
            whenRead.run();
        }
    }

    void resume() {
        paused = false;
    }

    /** Gives up on the content that has not arrived. */
    void expire() {
        broken |= !complete;
    }

    /** Drops the body from here on. */
    void drop() {
        dropping = true;
        if (reader instanceof BodyCollector collector) {
            collector.release();
        }
    }

    /**
     * Takes the end of a body without a reader, the most frequent case; returns false for any other content.
     */
    boolean endUnread(HttpContent content) {
        if (content != LastHttpContent.EMPTY_LAST_CONTENT || reader != null && !dropping) {
            return false;
        }
        complete = true;
        return true;
    }

    /**
     * Takes content and its ownership; drops it or delivers it to the reader.
     *
     * @throws HttpException 400 or 431 if it is malformed, 413 if the body exceeds its limit, 503 if memory
     *     is short
     */
    void content(HttpContent content) {
        boolean handedOn = false;
        try {
            if (content.decoderResult().isFailure()) {
                broken = true;
                throw RequestHead.refusal(content.decoderResult());
            }
            received += content.content().readableBytes();
            if (limited(content.content()) > limit) {
                broken = true;
                throw tooLarge();
            }
            complete = content instanceof LastHttpContent;
            if (dropping || reader == null) {
                return;
            }
            if (content.content().isReadable()) {
                requireMemory(reader, content.content().readableBytes());
                handedOn = true;
                paused = !reader.content(content.content());
            }
            if (content instanceof LastHttpContent last) {
                end(last.trailingHeaders());
            }
        } finally {
            if (!handedOn) {
                content.release();
            }
        }
    }

    private long limited(ByteBuf piece) {
        return reader == null ? received : reader.limited(piece, received);
    }

    private void requireMemory(BodyReader to, int bytes) {
        if (to.takesMemory(bytes) && DirectMemory.isShort()) {
            broken = true;
            throw HttpException.tryAgain("the gateway is short of memory for the body", null);
        }
    }

    private static final class Discarder implements BodyReader {
        @Override
        public boolean content(ByteBuf content) {
            content.release();
            return true;
        }

        @Override
        public void end(HttpHeaders trailers) {
        }
    }
}
