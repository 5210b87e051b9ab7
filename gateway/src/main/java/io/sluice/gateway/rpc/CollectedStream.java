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
import io.sluice.handlers.message.Trailers;

/**
 * Collects a streamed response, because a message has one length and cannot be interleaved with others. There
 * is no back-pressure: the writer never waits, and beyond the limit the response fails. Written by one
 * thread, closed by the event loop.
 */
final class CollectedStream implements ResponseStream {
    private static final int FIRST = 32 * 1024;

    private final RpcAnswer answer;
    private final HttpResponse head;
    private final ByteBufAllocator alloc;
    private final EventExecutor loop;
    private final BodyCheck check;
    /** Indicates whether this responds to a HEAD request. */
    private final boolean bodyless;
    private final long limit;
    private volatile Runnable onWritable = () -> { };
    /** Guarded by this, as are {@link #written} and {@link #closed}. */
    private ByteBuf collected = Unpooled.EMPTY_BUFFER;
    private long written;
    /** The response has ended or was abandoned; further writes are dropped. */
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

    /**
     * Returns whether the writing thread checks what it writes: a worker does. What the event loop writes,
     * and all that follows, is checked later in the event loop's turns.
     */
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

    /** Does nothing, as the message is sent at the end. */
    @Override
    public void flush() {
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
            answer.streamed(head, check, this);
        } else {
            answer.fail(new IllegalStateException(
                    "a body of " + length + " bytes under a Content-Length of " + declared));
        }
    }

    /** Returns how many bytes were written, including those of a body that is dropped. */
    synchronized long written() {
        return written;
    }

    /** Hands over the collected bytes, which the caller owns. */
    synchronized ByteBuf take() {
        ByteBuf taken = collected;
        collected = Unpooled.EMPTY_BUFFER;
        return taken;
    }

    /** Releases the collected bytes after the end of the exchange, and wakes the writer. */
    void close() {
        synchronized (this) {
            closed = true;
            take().release();
        }
        onWritable.run();
    }
}
