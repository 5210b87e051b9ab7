package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.write.RepeatableResponse;
import io.sluice.handlers.write.StoredResponse;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.Spill;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A response that a worker writes, in pooled buffers of 32 KiB. Nothing is sent until the first buffer is
 * full, so that an error until then can have its own response. The worker waits for a slow client, for a
 * short time; then the rest goes to disk, and the worker is free as soon as it has written that.
 *
 * <p>Confined to its worker. The event loop sends the rest, a {@link ResponseRest}.
 */
final class BlockingResponse extends OutputStream implements RepeatableResponse {
    private static final AsciiString REPLAYED = AsciiString.cached("idempotent-replayed");
    private static final int PIECE = 32 * 1024;
    /**
     * In bytes per second: a worker waits for any client that reads as fast, however long the response is.
     */
    private static final long RATE = 1 << 20;
    private static final long NANOS_OF_A_PIECE = TimeUnit.SECONDS.toNanos(1) * PIECE / RATE;

    private final Exchange exchange;
    private final WorkScope scope;
    private final SpillSpace space;
    private final CharSequence contentType;
    private final HttpHeaders headers = new FlatHeaders(4);
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private HttpResponseStatus status = HttpResponseStatus.OK;
    private boolean bodyless;
    /** Indicates whether nothing may be sent before the transaction has ended. */
    private boolean isWhole;
    /** The name of a header that is known after the body only; null for none. */
    private @Nullable CharSequence late;
    private final Thread worker = Thread.currentThread();
    /** The nanoseconds by which the client is behind {@link #RATE}. */
    private long lag;
    /** The most bytes of the next piece. */
    private int piece = PIECE;
    private @Nullable ByteBuf buffer;
    /** Null until something is sent. */
    private @Nullable ResponseStream stream;
    /** Null while the client reads fast enough. */
    private @Nullable Spill spill;

    /**
     * Creates an empty response; called on the worker.
     *
     * @param space stores the rest if the client reads too slowly
     */
    BlockingResponse(Exchange exchange, WorkScope scope, CharSequence contentType, SpillSpace space) {
        this.exchange = exchange;
        this.scope = scope;
        this.space = space;
        this.contentType = contentType;
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    }

    /** Returns the headers, which can be changed until the first byte is written. */
    HttpHeaders headers() {
        return headers;
    }

    /** Sets the status of a response without a body: what is written from here on is dropped. */
    void setBodyless(HttpResponseStatus without) {
        status = without;
        bodyless = true;
        headers.remove(HttpHeaderNames.CONTENT_TYPE);
    }

    /** Sets the status; called before the first byte is written. */
    void setStatus(HttpResponseStatus other) {
        status = other;
    }

    /** Sends nothing until so many bytes are written; called before the first of them. */
    void hold(int bytes) {
        piece = bytes;
    }

    @Override
    public void keepWhole(int bytes) {
        isWhole = true;
        piece = bytes + 1;
    }

    @Override
    public StoredResponse stored() {
        var fields = new StringBuilder();
        headers.forEach(field -> fields.append(field.getKey()).append(": ").append(field.getValue())
                .append('\n'));
        return new StoredResponse(status.code(), fields.toString(), buffer == null ? new byte[0]
                : ByteBufUtil.getBytes(buffer));
    }

    @Override
    public void repeat(StoredResponse stored) throws IOException {
        headers.clear();
        stored.headers().lines().forEach(line -> headers.add(line.substring(0, line.indexOf(':')),
                line.substring(line.indexOf(':') + 2)));
        headers.set(REPLAYED, "true");
        status = HttpResponseStatus.valueOf(stored.status());
        write(stored.body());
    }

    /** Announces a header that {@link #setLate} may set after the body; called before the first byte. */
    void announce(CharSequence header) {
        late = header;
    }

    /** Sets a header after the body: a trailer if the response has been begun. */
    void setLate(CharSequence header, Object value) {
        if (stream == null) {
            headers.set(header, value);
        } else {
            trailers = new FlatHeaders(1).set(header, value);
        }
    }

    /** Drops all that has been set and written; returns false if a part of it has been sent. */
    boolean clear() {
        if (stream != null) {
            return false;
        }
        discard();
        headers.clear().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        status = HttpResponseStatus.OK;
        bodyless = false;
        isWhole = false;
        late = null;
        piece = PIECE;
        return true;
    }

    /** Returns whether nothing has been sent yet. */
    boolean isUnsent() {
        return stream == null;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int at = 0; at < length && !bodyless; ) {
            requireReader();
            ByteBuf to = buffer;
            if (to == null) {
                to = exchange.alloc().buffer(Math.min(piece, Math.min(PIECE, length)), piece);
                buffer = to;
            }
            int fits = Math.min(length - at, to.maxWritableBytes());
            to.writeBytes(bytes, offset + at, fits);
            at += fits;
            if (to.maxWritableBytes() == 0) {
                sendPiece(to);
            }
        }
    }

    private void sendPiece(ByteBuf full) throws IOException {
        if (isWhole) {
            throw new IOException("the response is larger than idempotency.max-answer");
        }
        piece = PIECE;
        ResponseStream to = stream == null ? begin() : stream;
        if (spill == null) {
            buffer = null;
            to.write(full);
            awaitReader(to);
        } else {
            spill.write(full);
            full.clear();
        }
    }

    private ResponseStream begin() throws IOException {
        if (late != null) {
            headers.set(HttpHeaderNames.TRAILER, late);
        }
        ResponseStream begun = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers));
        if (begun == null) {
            throw noReader();
        }
        begun.onWritable(() -> LockSupport.unpark(worker));
        stream = begun;
        return begun;
    }

    /**
     * Waits until the stream is writable, or the client's grace is over: then the rest of the response
     * spills.
     */
    private void awaitReader(ResponseStream to) throws IOException {
        lag = Math.max(0, lag - NANOS_OF_A_PIECE);
        boolean reads = to.isWritable();
        if (!reads) {
            // The stream unparks a writer when it ends, which may be before its task is cancelled.
            try (var _ = scope.onCancel(() -> LockSupport.unpark(worker))) {
                reads = awaitWritable(to);
            }
        }
        requireReader();
        if (!reads) {
            spill = space.begin(exchange.clientNetwork());
        }
    }

    /** Returns whether the stream has become writable; it may not be any more, by a piece that was queued. */
    private boolean awaitWritable(ResponseStream to) throws IOException {
        Ticker clock = scope.deadline().clock();
        long begin = clock.nanoTime() - lag;
        long left = scope.clientGraceNanos() - lag;
        while (!to.isWritable() && left > 0) {
            requireReader();
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            lag = clock.nanoTime() - begin;
            left = scope.clientGraceNanos() - lag;
        }
        return left > 0 || to.isWritable();
    }

    private void requireReader() throws IOException {
        if (scope.isAbandoned()) {
            throw noReader();
        }
    }

    private static IOException noReader() {
        return new IOException("nobody waits for this response any more");
    }

    /** Returns the unsent rest; owned by the caller. Nothing can be written from here on. */
    ResponseRest rest() {
        ByteBuf tail = buffer == null ? Unpooled.EMPTY_BUFFER : buffer;
        if (spill != null) {
            spill.write(tail);
        }
        var rest = new ResponseRest(exchange, status, headers, trailers, stream, tail, spill);
        buffer = null;
        spill = null;
        return rest;
    }

    /** Releases the unsent rest. */
    void discard() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        if (spill != null) {
            spill.release();
            spill = null;
        }
    }
}
