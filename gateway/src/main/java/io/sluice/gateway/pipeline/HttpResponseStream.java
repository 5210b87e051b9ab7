package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.sluice.handlers.ResponseStream;

/**
 * The body of a streamed answer. Pieces written off the event loop are counted against the channel's
 * watermarks from the moment they are handed over, so that {@link #isWritable()} is never late.
 */
final class HttpResponseStream implements ResponseStream {
    private final Answer answer;
    private final ChannelHandlerContext ctx;
    /** The answer to a HEAD request. */
    private final boolean bodyless;
    private final long declared;
    private volatile Runnable onWritable = () -> { };
    private volatile long written;
    private boolean keepAlive;

    HttpResponseStream(Answer answer, ChannelHandlerContext ctx, HttpResponse head, boolean bodyless) {
        this.answer = answer;
        this.ctx = ctx;
        this.bodyless = bodyless;
        declared = HttpUtil.getContentLength(head, -1L);
    }

    /** The length in the head, or -1. */
    long declaredLength() {
        return declared;
    }

    long written() {
        return written;
    }

    void keepAlive(boolean keep) {
        keepAlive = keep;
    }

    @Override
    public void write(ByteBuf content) {
        int length = content.readableBytes();
        if (bodyless || length == 0) {
            content.release();
            return;
        }
        written += length;
        ctx.writeAndFlush(new DefaultHttpContent(content));
    }

    @Override
    public boolean isWritable() {
        return bodyless || ctx.channel().isWritable() || !ctx.channel().isActive();
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    void wakeWriter() {
        onWritable.run();
    }

    @Override
    public void end() {
        if (ctx.executor().inEventLoop()) {
            finish();
        } else {
            ctx.executor().execute(this::finish);
        }
    }

    private void finish() {
        if (!bodyless && declared >= 0 && declared != written) {
            answer.broken(new IllegalStateException(
                    "a body of " + written + " bytes under a Content-Length of " + declared));
        } else {
            answer.streamed(written, keepAlive);
        }
    }
}
