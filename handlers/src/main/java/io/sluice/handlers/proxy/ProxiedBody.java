package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.UpstreamStream;
import java.util.ArrayDeque;

/**
 * The body of a request on its way to an endpoint. A small one is kept until the response begins, so that it
 * can be sent again. Confined to the event loop.
 */
final class ProxiedBody implements Exchange.BodyReader {
    private static final int MOST_KEPT = 64 * 1024;

    private final Exchange exchange;
    /** Null while no endpoint receives the body. */
    private UpstreamStream stream;
    private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>(2);
    private int keptBytes;
    private boolean keeps = true;
    private boolean begun;
    /** The trailers after the end of the body; null before. */
    private HttpHeaders trailers;
    private boolean closed;
    private boolean flushScheduled;

    ProxiedBody(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Sends the body to a stream, from its beginning, after the head of the request. */
    void sendTo(UpstreamStream to) {
        stream = to;
        if (!exchange.hasBody()) {
            trailers = EmptyHttpHeaders.INSTANCE;
            to.flush();
            return;
        }
        kept.forEach(piece -> to.write(piece.retainedSlice()));
        if (trailers != null) {
            to.end(trailers);
        }
        flushLater();
        if (begun) {
            exchange.resumeBody();
        } else {
            begun = true;
            exchange.streamBody(this);
        }
    }

    @Override
    public boolean content(ByteBuf piece) {
        if (closed) {
            piece.release();
            return true;
        }
        keep(piece);
        if (stream == null) {
            piece.release();
            return false;
        }
        stream.write(piece);
        flushLater();
        return stream.isWritable();
    }

    private void keep(ByteBuf piece) {
        if (keeps) {
            keptBytes += piece.readableBytes();
            kept.add(piece.retainedSlice());
            if (keptBytes > MOST_KEPT) {
                keepNoMore();
            }
        }
    }

    @Override
    public void end(HttpHeaders last) {
        trailers = last;
        if (stream != null && !closed) {
            stream.end(last);
            flushLater();
        }
    }

    /** Flushes once after the pieces that have arrived together. */
    private void flushLater() {
        if (!flushScheduled) {
            flushScheduled = true;
            exchange.eventLoop().execute(() -> {
                flushScheduled = false;
                if (stream != null) {
                    stream.flush();
                }
            });
        }
    }

    /** Called when the stream reads on. */
    void writable() {
        if (begun) {
            exchange.resumeBody();
        }
    }

    /** Stops sending until there is another stream. */
    void pause() {
        stream = null;
    }

    /** Returns whether all that has been sent is still here. */
    boolean isReplayable() {
        return keeps;
    }

    /** Releases what is kept. */
    void keepNoMore() {
        keeps = false;
        kept.forEach(ByteBuf::release);
        kept.clear();
    }

    /** Drops the rest of the body. */
    void close() {
        closed = true;
        stream = null;
        keepNoMore();
    }
}
