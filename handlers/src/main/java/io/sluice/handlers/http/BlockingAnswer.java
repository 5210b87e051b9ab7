package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * An answer that a worker writes: collected in pooled buffers, and the worker waits while the client
 * reads slowly, so that an answer of any size takes little memory. One that fits the first buffer is
 * sent whole, with its length; until then nothing is sent, and an error can still be answered as such.
 *
 * <p>A worker writes, the event loop finishes or discards; only one of these happens at a time.
 */
final class BlockingAnswer extends OutputStream {
    private static final int PIECE = 32 * 1024;

    private final Exchange exchange;
    private final HttpHeaders headers = new DefaultHttpHeaders();
    private ByteBuf buffer;
    private ResponseStream stream;
    private boolean over;

    BlockingAnswer(Exchange exchange, CharSequence contentType) {
        this.exchange = exchange;
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    }

    /** The answer's headers, until the first byte is written. */
    HttpHeaders headers() {
        return headers;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        for (int at = 0; at < length; ) {
            requireReader();
            if (buffer == null) {
                buffer = exchange.alloc().buffer(Math.min(PIECE, length), PIECE);
            }
            int fits = Math.min(length - at, buffer.maxWritableBytes());
            buffer.writeBytes(bytes, offset + at, fits);
            at += fits;
            if (!buffer.isWritable(1) && buffer.maxWritableBytes() == 0) {
                sendPiece();
                awaitReader();
            }
        }
    }

    private void sendPiece() throws IOException {
        if (stream == null) {
            stream = exchange.stream(
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, headers));
            if (stream == null) {
                discard();
                requireReader();
            }
            stream.onWritable(this::wake);
        }
        ByteBuf piece = buffer;
        buffer = null;
        stream.write(piece);
    }

    private void awaitReader() throws IOException {
        while (!over && !stream.isWritable()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(exchange.deadline().remainingNanos());
            if (millis <= 0) {
                // The event loop fails the request in this moment, too: with the same status.
                throw new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "the client reads too slowly");
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
        requireReader();
    }

    private void requireReader() throws IOException {
        if (over) {
            throw new IOException("nobody waits for this answer any more");
        }
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Sends what is left, and with it the end of the answer. */
    synchronized void finish() {
        if (over) {
            return;
        }
        over = true;
        ByteBuf rest = buffer == null ? exchange.alloc().buffer(0) : buffer;
        buffer = null;
        if (stream == null) {
            exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, rest,
                    headers, EmptyHttpHeaders.INSTANCE));
        } else {
            stream.write(rest);
            stream.end();
        }
    }

    /** Drops what has not been sent; a worker that goes on writing gets an exception. */
    synchronized void discard() {
        over = true;
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        notifyAll();
    }
}
