package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.Trailers;

/**
 * A streamed answer, collected: a message has one length, and no other message in its middle. Its writer
 * never waits, and is stopped at the limit. Written by one thread, closed by the event loop.
 */
final class CollectedStream implements ResponseStream {
    private static final int FIRST = 32 * 1024;

    private final RpcAnswer answer;
    private final HttpResponse head;
    private final ByteBufAllocator alloc;
    private final EventExecutor loop;
    private final BodyCheck check;
    /** The answer to a HEAD request. */
    private final boolean bodyless;
    private final long limit;
    private volatile Runnable onWritable = () -> { };
    /** Guarded by this, as what follows. */
    private ByteBuf collected = Unpooled.EMPTY_BUFFER;
    private long written;
    /** Ended or given up: what is written now is dropped. */
    private boolean closed;

    CollectedStream(RpcAnswer answer, HttpResponse head, ByteBufAllocator alloc, EventExecutor loop,
                    boolean bodyless, long limit) {
        this.answer = answer;
        this.head = head;
        this.alloc = alloc;
        this.loop = loop;
        check = new BodyCheck(head.headers().get(HttpHeaderNames.CONTENT_TYPE));
        this.bodyless = bodyless;
        this.limit = limit;
    }

    @Override
    public void write(ByteBuf content) {
        boolean fits;
        try {
            if (isForWriterToCheck()) {
                check.add(content, content.readerIndex(), content.readableBytes());
            }
            fits = collect(content);
        } finally {
            content.release();
        }
        if (!fits) {
            answer.fail(answer.tooLarge());
        }
    }

    /** A worker checks what it writes. The event loop does so in its turns, and then what follows, too. */
    private synchronized boolean isForWriterToCheck() {
        return !closed && !bodyless && !loop.inEventLoop() && check.checked() == collected.readableBytes();
    }

    private synchronized boolean collect(ByteBuf content) {
        int length = content.readableBytes();
        if (closed || length == 0) {
            return true;
        }
        written += length;
        if (bodyless) {
            return true;
        }
        if (collected.readableBytes() + (long) length > limit) {
            closed = true;
            take().release();
            return false;
        }
        if (!collected.isReadable()) {
            collected = alloc.buffer(Math.max(length, (int) Math.min(limit, FIRST)));
        }
        collected.writeBytes(content);
        return true;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    @Override
    public void end(HttpHeaders trailers) {
        Trailers.requireValid(trailers);
        long length;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            length = collected.readableBytes();
        }
        long declared = HttpUtil.getContentLength(head, length);
        if (bodyless || declared == length) {
            answer.streamed(head, check);
        } else {
            answer.fail(new IllegalStateException(
                    "a body of " + length + " bytes under a Content-Length of " + declared));
        }
    }

    /** Bytes that were written, of a body that is dropped as well. */
    synchronized long written() {
        return written;
    }

    /** Hands over what was written; owned by the caller. */
    synchronized ByteBuf take() {
        ByteBuf taken = collected;
        collected = Unpooled.EMPTY_BUFFER;
        return taken;
    }

    /** The exchange has ended. */
    void close() {
        synchronized (this) {
            closed = true;
            take().release();
        }
        onWritable.run();
    }
}
