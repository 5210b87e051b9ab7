package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.MessageProtocol;
import io.sluice.handlers.upstream.UpstreamRequest;
import io.sluice.handlers.upstream.UpstreamStream;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way to an endpoint. A small one is kept until the response begins, so that it
 * can be sent again. Confined to the event loop.
 */
final class ProxiedBody implements Exchange.BodyReader {
    private static final int MAX_KEPT = 64 * 1024;

    private final Exchange exchange;
    /** Matches the names of the fields that the route sets or removes. */
    private final Predicate<CharSequence> claims;
    /** Null if the client does not wait for 100. */
    private final @Nullable ContinueWait wait;
    /** Null unless the request is a call of gRPC. */
    private final @Nullable MessageBoundary messages;
    /** Null while no endpoint receives the body. */
    private @Nullable UpstreamStream stream;
    /** A copy of what has been sent, as pieces of it could pin much larger buffers; null if there is none. */
    private @Nullable ByteBuf kept;
    /** Indicates whether all that has come is {@link #kept}; true while there is no stream. */
    private boolean keeps = true;
    /** The number of bytes that may be kept in the current attempt; none of a body that is not sent again. */
    private int mostKept;
    private boolean begun;
    /** The trailers after the end of the body; null before. */
    private @Nullable HttpHeaders trailers;
    /** The time at which the end of the body had come from the client. */
    private long endedAt;
    private boolean closed;
    private boolean flushScheduled;

    ProxiedBody(Exchange exchange, ProxyHandler route) {
        this.exchange = exchange;
        claims = route.requestChanges().claims();
        wait = ContinueWait.isIn(exchange) ? new ContinueWait(exchange) : null;
        messages = route.isCall(exchange) ? new MessageBoundary() : null;
        if (messages != null) {
            exchange.attr(MessageProtocol.IS_BETWEEN_MESSAGES).set(messages::isReached);
        }
    }

    /** Sends the body to a stream, from its beginning, after the head of the request. */
    void sendTo(UpstreamStream to, UpstreamRequest request) {
        stream = to;
        if (!request.hasBody()) {
            ended(EmptyHttpHeaders.INSTANCE);
            // The event loop knows before its next task if the endpoint has closed the connection: a request
            // that can be sent only once is not lost there.
            if (to.isReused() && !request.isIdempotent()) {
                flushLater();
            } else {
                to.flush();
            }
            return;
        }
        if (kept != null) {
            to.write(kept.copy());
        }
        boolean repeatable = request.length() <= MAX_KEPT && (request.isIdempotent() || to.mayBeRefused());
        mostKept = repeatable ? MAX_KEPT : 0;
        if (trailers != null) {
            to.end(trailers);
        }
        flushLater();
        if (begun) {
            exchange.resumeBody();
        } else {
            begun = true;
            if (wait != null) {
                wait.begin();
            }
            exchange.streamBody(this);
        }
    }

    @Override
    public boolean sendsContinue() {
        return wait == null;
    }

    /** Limits each message of a call, which may go on for long: no more than a piece of it is held. */
    @Override
    public long limited(ByteBuf piece, long received) {
        return messages == null ? received : messages.scan(piece);
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
        if (stream.isWritable()) {
            flushLater();
        } else {
            stream.flush(); // only then it is known whether the endpoint reads on
        }
        return stream.isWritable();
    }

    /** Keeps a piece within the limit; in any case if no endpoint gets it yet, which is one piece at most. */
    private void keep(ByteBuf piece) {
        int length = piece.readableBytes();
        if (stream != null && length + (kept == null ? 0 : kept.readableBytes()) > mostKept) {
            keepNoMore();
        }
        if (keeps) {
            kept = kept == null ? exchange.alloc().buffer(length) : kept;
            kept.writeBytes(piece, piece.readerIndex(), length);
        }
    }

    @Override
    public void end(HttpHeaders last) {
        HttpHeaders fields = ended(withoutClaims(last));
        if (stream != null && !closed) {
            stream.end(fields);
            flushLater();
        }
    }

    private HttpHeaders ended(HttpHeaders last) {
        endedAt = exchange.deadline().clock().nanoTime();
        trailers = last;
        return last;
    }

    /** Returns for how long the client has not been waited for, in ns, if an endpoint reads the body. */
    long nanosSinceClient() {
        if (trailers == null) {
            return stream == null || stream.isWritable() ? 0 : Long.MAX_VALUE;
        }
        return exchange.deadline().clock().nanoTime() - endedAt;
    }

    /** Removes what must not be a field either: some servers treat trailers as fields. */
    private HttpHeaders withoutClaims(HttpHeaders trailers) {
        if (trailers.isEmpty()) {
            return trailers;
        }
        Set<String> named = HopByHop.named(exchange.headers());
        return HopByHop.without(trailers, claims.or(ForwardingFields::claims)
                .or(name -> named.contains(name.toString())));
    }

    /** Sends what has been written, once after the pieces that have arrived together. */
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
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    /** Drops the rest of the body. */
    void close() {
        closed = true;
        stream = null;
        if (wait != null) {
            wait.end();
        }
        keepNoMore();
    }
}
