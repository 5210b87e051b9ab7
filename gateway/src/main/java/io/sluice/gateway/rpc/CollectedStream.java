package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.message.Trailers;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Collects a streamed response, because a message has one length and cannot be interleaved with others. The
 * writer waits while the socket holds too many bytes of responses, and beyond its own limit the response
 * fails. Written by one thread, closed by the event loop, which must not wait: if a write runs at that
 * moment, the writing thread releases the bytes.
 */
final class CollectedStream implements ResponseStream {
    private enum State { IDLE, BUSY, ENDED, CLOSED }

    private static final int FIRST = 32 * 1024;

    private final RpcResponse answer;
    private final ResponseMemory memory;
    private final HttpResponse head;
    private final ByteBufAllocator alloc;
    private final EventExecutor loop;
    private final BodyCheck check;
    /** Indicates whether this responds to a HEAD request. */
    private final boolean bodyless;
    private final long limit;
    private volatile Runnable onWritable = () -> { };
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final AtomicLong written = new AtomicLong();
    /** Indicates whether the bytes were handed over. On the event loop. */
    private boolean taken;
    /** Used by the writing thread until the response has ended or is closed. */
    private ByteBuf collected = Unpooled.EMPTY_BUFFER;

    CollectedStream(RpcResponse answer, ResponseMemory memory, HttpResponse head, ByteBufAllocator alloc,
                    EventExecutor loop, boolean bodyless, long limit) {
        this.answer = answer;
        this.memory = memory;
        this.head = head;
        this.alloc = alloc;
        this.loop = loop;
        check = new BodyCheck(head.headers().get(HttpHeaderNames.CONTENT_TYPE));
        this.bodyless = bodyless;
        this.limit = limit;
    }

    @Override
    public void write(ByteBuf content) {
        if (!state.compareAndSet(State.IDLE, State.BUSY)) {
            content.release();
            return;
        }
        boolean fits = false;
        try {
            if (isForWriterToCheck()) {
                check.add(content, content.readerIndex(), content.readableBytes());
            }
            fits = collect(content);
        } finally {
            content.release();
            if (!fits || !state.compareAndSet(State.BUSY, State.IDLE)) {
                state.set(State.CLOSED);
                memory.collected(-drop());
            }
        }
        if (!fits) {
            answer.fail(answer.tooLarge());
        }
    }

    /**
     * Returns whether the writing thread checks what it writes: a worker does. What the event loop writes,
     * and all that follows, is checked later in the event loop's turns.
     */
    private boolean isForWriterToCheck() {
        return !bodyless && !loop.inEventLoop() && check.checked() == collected.readableBytes();
    }

    private boolean collect(ByteBuf content) {
        int length = content.readableBytes();
        written.addAndGet(length);
        if (bodyless || length == 0) {
            return true;
        }
        if (collected.readableBytes() + (long) length > limit) {
            return false;
        }
        collected = collected.isReadable() ? DirectMemory.withRoom(alloc, collected, length)
                : alloc.buffer(Math.max(length, (int) Math.min(limit, FIRST)));
        collected.writeBytes(content);
        memory.collected(length);
        return true;
    }

    /** Does nothing, as the message is sent at the end. */
    @Override
    public void flush() {
    }

    @Override
    public boolean isWritable() {
        if (bodyless || isOver()) {
            return true;
        }
        boolean admitted = memory.admits(this);
        if (isOver()) { // closed meanwhile: it must neither wait nor keep others waiting
            memory.left(this);
            return true;
        }
        return admitted;
    }

    private boolean isOver() {
        State now = state.get();
        return now == State.ENDED || now == State.CLOSED;
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    /** Lets the writer go on. On the event loop. */
    void wakeWriter() {
        try {
            onWritable.run();
        } catch (Throwable e) {
            answer.fail(e);
        }
    }

    /** Returns whether the writer waits until the client has read other responses. */
    boolean waitsForClient() {
        return memory.delays(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
        Trailers.requireValid(trailers);
        long length = collected.readableBytes();
        if (!state.compareAndSet(State.IDLE, State.ENDED)) {
            return;
        }
        memory.ended(this);
        long declared = HttpUtil.getContentLength(head, length);
        if (bodyless || declared == length) {
            answer.streamed(head, check, this);
        } else {
            answer.fail(new IllegalStateException(
                    "a body of " + length + " bytes under a Content-Length of " + declared));
        }
    }

    /** Returns how many bytes were written, including those of a body that is dropped. */
    long written() {
        return written.get();
    }

    /**
     * Hands over the collected bytes, which the caller owns; they stay counted, as a complete response. After
     * the end, on the event loop.
     */
    ByteBuf take() {
        taken = true;
        ByteBuf whole = collected;
        collected = Unpooled.EMPTY_BUFFER;
        return whole;
    }

    private long drop() {
        long length = collected.readableBytes();
        collected.release();
        collected = Unpooled.EMPTY_BUFFER;
        return length;
    }

    /** Releases the collected bytes after the end of the exchange, and wakes the writer. */
    void close() {
        State before = state.getAndSet(State.CLOSED);
        if (before == State.IDLE) {
            memory.collected(-drop());
        } else if (before == State.ENDED && !taken) {
            memory.release(drop());
        }
        memory.left(this);
        onWritable.run();
    }
}
