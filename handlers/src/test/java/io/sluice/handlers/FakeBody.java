package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange.BodyReader;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** The request's body of a {@link FakeExchange}. Confined to the event loop. */
final class FakeBody {
    private final FakeExchange exchange;
    /** The length in bytes; 0 for no body, -1 if the client does not declare it. */
    private final long declared;
    private final ArrayDeque<byte[]> sent = new ArrayDeque<>();
    private long limit = Long.MAX_VALUE;
    private long received;
    private BodyReader reader;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private boolean paused;
    private boolean complete;
    private boolean over;

    FakeBody(FakeExchange exchange, long declared) {
        this.exchange = exchange;
        this.declared = declared;
        complete = declared == 0;
    }

    boolean isPresent() {
        return declared != 0;
    }

    boolean isAwaited() {
        return reader != null && !paused && !complete;
    }

    /** Receives a piece from the client. */
    void send(byte[] piece) {
        sent.add(piece);
        exchange.attempt(this::deliver);
    }

    /** Receives the end of the body and its trailers from the client. */
    void end(HttpHeaders behind) {
        complete = true;
        trailers = behind;
        exchange.attempt(this::deliver);
    }

    void limit(long bytes) {
        limit = Math.min(limit, bytes);
        if (declared > limit) {
            throw tooLarge();
        }
    }

    private HttpException tooLarge() {
        return new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                "the body is too large (expected: at most " + limit + " bytes)");
    }

    /** Delivers the body to a reader, from when the handler has returned. */
    void read(BodyReader to) {
        if (reader != null) {
            throw new IllegalStateException("the body is being read already");
        }
        reader = to;
        exchange.eventLoop().execute(() -> exchange.attempt(this::deliver));
    }

    void resume() {
        paused = false;
        exchange.attempt(this::deliver);
    }

    private void deliver() {
        while (!over && reader != null && !paused && !sent.isEmpty()) {
            byte[] piece = sent.remove();
            exchange.times().progress();
            received += piece.length;
            if (reader.limited(Unpooled.wrappedBuffer(piece), received) > limit) {
                exchange.refuse(tooLarge());
                return;
            }
            paused = !reader.content(exchange.alloc().buffer(Math.max(1, piece.length)).writeBytes(piece));
        }
        if (!over && reader != null && !paused && sent.isEmpty() && complete) {
            over = true;
            reader.end(trailers);
        }
    }

    /** Discards the rest of the body. */
    void drop() {
        over = true;
    }

    /** Returns a reader that collects the whole body for an action. */
    static BodyReader whole(Consumer<ByteBuf> action) {
        // on the heap, since a body that never completes must not count as a leak
        ByteBuf collected = Unpooled.buffer();
        return new BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                collected.writeBytes(content);
                content.release();
                return true;
            }

            @Override
            public void end(HttpHeaders ignored) {
                try {
                    action.accept(collected);
                } finally {
                    collected.release();
                }
            }
        };
    }
}
