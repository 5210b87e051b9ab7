package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.FileRegion;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.net.Transport;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.Trailers;
import java.util.concurrent.TimeUnit;

/**
 * The body of a streamed answer. Pieces written off the event loop are counted against the channel's
 * watermarks from the moment they are handed over, so that {@link #isWritable()} is never late.
 */
final class HttpResponseStream implements ResponseStream {
    private final Answer answer;
    private final Carrier carrier;
    private final ChannelHandlerContext ctx;
    /** The answer to a HEAD request, or one of a status without a body. */
    private final boolean bodyless;
    private final long declared;
    private volatile Runnable onWritable = () -> { };
    private volatile long written;
    /** The kernel has a piece of a file to send, which no watermark counts. */
    private volatile boolean sending;
    private boolean keepAlive;
    /** A worker has written: what the loop writes after it must queue behind that. */
    private volatile boolean queued;
    /** Ended or given up, as far as its writer is concerned. */
    private boolean closed;

    HttpResponseStream(Answer answer, Carrier carrier, ChannelHandlerContext ctx, HttpResponse head,
                       boolean bodyless) {
        this.answer = answer;
        this.carrier = carrier;
        this.ctx = ctx;
        this.bodyless = bodyless;
        declared = HttpUtil.getContentLength(head, -1L);
        queued = !ctx.executor().inEventLoop();
    }

    /** The length in the head, or -1. */
    long declaredLength() {
        return declared;
    }

    /** Bytes of the body so far, of one that is dropped as well. */
    long written() {
        return written;
    }

    /** Bytes of the body that the client gets. */
    long sent() {
        return bodyless ? 0 : written;
    }

    void keepAlive(boolean keep) {
        keepAlive = keep;
    }

    @Override
    public void write(ByteBuf content) {
        int length = content.readableBytes();
        if (bodyless) {
            written += length;
            content.release();
        } else if (closed || length == 0) {
            content.release();
        } else if (mayWrite(length)) {
            written += length;
            send(carrier.piece(content));
        } else {
            content.release();
        }
    }

    @Override
    public boolean sendFile(FileRegion piece) {
        if (!Transport.sendsFiles(ctx.channel())) {
            return false;
        }
        if (bodyless || closed || !mayWrite(piece.count())) {
            piece.release();
            return true;
        }
        written += piece.count();
        sending = true;
        ctx.writeAndFlush(piece).addListener(sent -> {
            written -= piece.count() - piece.transferred();
            sending = false;
            if (sent.isSuccess()) {
                // Scheduled: what is executed would run before the loop looks at its other connections.
                ctx.executor().schedule(this::wakeWriter, 0, TimeUnit.NANOSECONDS);
            } else {
                // Before the end of the connection is told, which follows.
                ctx.executor().execute(this::wakeWriter);
            }
        });
        return true;
    }

    /** What is too much is not even sent: it would be taken for the beginning of the next answer. */
    private boolean mayWrite(long length) {
        boolean fits = declared < 0 || written + length <= declared;
        if (!fits) {
            giveUp(written + length);
        }
        return fits;
    }

    private void send(Object content) {
        if (!ctx.executor().inEventLoop()) {
            queued = true;
            ctx.writeAndFlush(content);
        } else if (queued) {
            ctx.executor().execute(() -> ctx.writeAndFlush(content));
        } else {
            ctx.writeAndFlush(content);
        }
    }

    private void giveUp(long length) {
        closed = true;
        answer.fail(new IllegalStateException(
                "a body of " + length + " bytes under a Content-Length of " + declared));
    }

    @Override
    public boolean isWritable() {
        return bodyless || !sending
                && (ctx.channel().isWritable() && !DirectMemory.isShort() || !ctx.channel().isActive());
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    void wakeWriter() {
        answer.takesLoop();
        try {
            onWritable.run();
        } catch (Throwable e) {
            answer.fail(e);
        }
    }

    @Override
    public void end(HttpHeaders trailers) {
        Trailers.requireValid(trailers);
        if (closed) {
            return;
        }
        closed = true;
        LastHttpContent end = bodyless || trailers.isEmpty() ? LastHttpContent.EMPTY_LAST_CONTENT
                : new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER, trailers);
        if (ctx.executor().inEventLoop() && !queued) {
            finish(end);
        } else {
            ctx.executor().execute(() -> finish(end));
        }
    }

    private void finish(LastHttpContent end) {
        if (!bodyless && declared >= 0 && declared != written) {
            giveUp(written);
        } else {
            answer.streamed(sent(), end, keepAlive);
        }
    }
}
