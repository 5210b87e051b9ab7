package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.UnsentMemory;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.gateway.net.Transport;
import io.sluice.handlers.MessageProtocol;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.message.Trailers;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a streamed response. Pieces written by other threads than the event loop count against the
 * channel's watermarks at once, so that {@link #isWritable()} is never late.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, and none while a file is sent
final class HttpResponseStream implements ResponseStream {
    /** In bytes. TLS encrypts as many in less than 0.5 ms. */
    private static final int SLICE = 256 * 1024;

    private final ExchangeResponse answer;
    private final HttpExchange exchange;
    private final Carrier carrier;
    private final ChannelHandlerContext ctx;
    private final ClientNetwork client;
    /** Indicates whether this responds to HEAD, or has a status without a body. */
    private final boolean bodyless;
    private final long declared;
    private volatile Runnable onWritable = () -> { };
    private volatile long written;
    /**
     * Indicates whether the kernel is sending a piece of a file, which does not count against the watermarks.
     */
    private volatile boolean sending;
    private boolean keepAlive;
    /** The channel's limits of unsent bytes, to be restored after a proxied response; null for others. */
    private @Nullable WriteBufferWaterMark watermarkToRestore;
    /**
     * Indicates whether another thread has written: later writes of the event loop must queue behind that.
     */
    private volatile boolean queued;
    /** The rest of a long piece, and pieces behind it, which are written in turns; null if there is none. */
    private volatile @Nullable ArrayDeque<ByteBuf> waiting;
    /** Ends the response behind these; null before the writer has ended it. */
    private @Nullable LastHttpContent lastWaiting;
    /** Indicates whether the writer has ended the stream or has exceeded the declared length. */
    private boolean closed;

    HttpResponseStream(ExchangeResponse answer, HttpExchange exchange, HttpResponse head, boolean bodyless) {
        this.answer = answer;
        this.exchange = exchange;
        carrier = exchange.carrier();
        ctx = exchange.context();
        client = exchange.clientNetwork();
        this.bodyless = bodyless;
        declared = HttpUtil.getContentLength(head, -1L);
        queued = !ctx.executor().inEventLoop();
    }

    /** Returns the Content-Length of the head; -1 if absent. */
    long declaredLength() {
        return declared;
    }

    /** Returns how many bytes of the body have been written, or dropped because the response has no body. */
    long written() {
        return written;
    }

    /** Returns how many bytes of the body are sent to the client. */
    long sent() {
        return bodyless ? 0 : written;
    }

    /** Called before the head is written. */
    void beforeHead(HttpResponse head, boolean keep) {
        keepAlive = keep;
        if (head instanceof Relayed) {
            watermarkToRestore = ctx.channel().config().getWriteBufferWaterMark();
            ctx.channel().config().setWriteBufferWaterMark(Transport.RELAYED);
        }
    }

    /** Returns whether this is the response of an endpoint, and has begun. On the event loop. */
    boolean isRelayed() {
        return watermarkToRestore != null;
    }

    @Override
    public void write(ByteBuf content) {
        int length = content.readableBytes();
        if (bodyless) {
            written += length;
            content.release();
        } else if (closed || length == 0) {
            content.release();
        } else if (reserve(length)) {
            boolean inLoop = ctx.executor().inEventLoop();
            if (waiting == null && (length <= SLICE || !inLoop || queued)) {
                send(content);
            } else {
                queued = queued || !inLoop;
                inOrder(() -> put(content));
            }
        } else {
            content.release();
        }
    }

    @Override
    public boolean sendFile(FileRegion piece) {
        if (!Transport.sendsFiles(ctx.channel())) {
            return false;
        }
        if (bodyless || closed || !reserve(piece.count())) {
            piece.release();
            return true;
        }
        sending = true;
        ctx.writeAndFlush(piece).addListener(sent -> {
            written -= piece.count() - piece.transferred();
            sending = false;
            if (sent.isSuccess()) {
                // Scheduled, because an executed task would run before the loop serves its other connections.
                ctx.executor().schedule(this::wakeWriter, 0, TimeUnit.NANOSECONDS);
            } else {
                // Executed, so as to run before the connection's close is reported, which follows.
                ctx.executor().execute(this::wakeWriter);
            }
        });
        return true;
    }

    /**
     * Counts bytes as written, or fails the response if the body then exceeds its declared length. The excess
     * is not sent, as the client would read it as the beginning of the next response.
     */
    private boolean reserve(long length) {
        if (declared >= 0 && written + length > declared) {
            giveUp(written + length);
            return false;
        }
        written += length;
        return true;
    }

    private void send(ByteBuf content) {
        if (!ctx.executor().inEventLoop()) {
            queued = true;
            sendNow(content);
        } else if (queued) {
            ctx.executor().execute(() -> sendNow(content));
        } else {
            sendNow(content);
        }
    }

    private void sendNow(ByteBuf content) {
        ChannelPromise sent = ctx.newPromise();
        if (!exchange.streamsEvents()) { // events share their pieces
            UnsentMemory.count(client, content.readableBytes(), sent);
        }
        ctx.writeAndFlush(carrier.piece(content), sent);
    }

    /** Writes a piece, or its beginning and the rest in turns: TLS encrypts all that it gets in one task. */
    private void put(ByteBuf content) {
        ArrayDeque<ByteBuf> before = waiting;
        if (before != null) {
            before.add(content);
        } else if (content.readableBytes() <= SLICE || queued) {
            sendNow(content);
        } else {
            ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(2);
            pieces.add(content);
            waiting = pieces;
            writeSlice(pieces);
        }
    }

    /** Writes a slice. Its flush, and with it the encryption, may be a task of its own behind this one. */
    private void writeSlice(ArrayDeque<ByteBuf> pieces) {
        ByteBuf first = pieces.element();
        sendNow(first.readableBytes() > SLICE ? first.readRetainedSlice(SLICE) : pieces.remove());
        if (!pieces.isEmpty()) {
            LoopTurns.ofThisLoop().add(ctx.executor(), () -> writeSlice(pieces));
            return;
        }
        waiting = null;
        if (lastWaiting != null) {
            finish(lastWaiting);
        } else if (isWritable()) {
            wakeWriter();
        }
    }

    private void giveUp(long length) {
        closed = true;
        answer.fail(new IllegalStateException(
                "a body of " + length + " bytes under a Content-Length of " + declared));
    }

    @Override
    public void flush() {
        inOrder(ctx::flush);
    }

    /** Runs a step on the event loop, after the writes of other threads. */
    private void inOrder(Runnable step) {
        if (ctx.executor().inEventLoop() && !queued) {
            step.run();
        } else {
            ctx.executor().execute(step);
        }
    }

    @Override
    public boolean isWritable() {
        return bodyless || !sending && waiting == null
                && (ctx.channel().isWritable() && hasMemory() || !ctx.channel().isActive());
    }

    private boolean hasMemory() {
        return !DirectMemory.isShort() && (exchange.streamsEvents() || !UnsentMemory.isFull(client));
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    void wakeWriter() {
        exchange.markLoopTask();
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
        inOrder(() -> {
            if (waiting == null) {
                finish(end);
            } else {
                lastWaiting = end;
            }
        });
    }

    /** Ends a response that an error cuts off by the trailers for that; returns false if there are none. */
    boolean endsBy(HttpResponseStatus error) {
        if (!isRelayed() || !exchange.hasAttr(MessageProtocol.ERROR_TRAILERS)) {
            return false;
        }
        HttpHeaders trailers = exchange.attr(MessageProtocol.ERROR_TRAILERS).get().apply(error);
        ctx.writeAndFlush(new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER, trailers), ctx.voidPromise());
        return true;
    }

    private void finish(LastHttpContent end) {
        if (!bodyless && declared >= 0 && declared != written) {
            giveUp(written);
        } else {
            if (watermarkToRestore != null) {
                ctx.channel().config().setWriteBufferWaterMark(watermarkToRestore);
            }
            answer.streamed(sent(), end, keepAlive);
        }
    }
}
