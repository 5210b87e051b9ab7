package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange.BodyReader;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** The request's body of a {@link FakeExchange}, as its client sends it. Confined to the event loop. */
final class FakeBody {
    private final FakeExchange exchange;
    /** -1 where the client does not tell, 0 for none. */
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

    /** The client sends a piece. */
    void send(byte[] piece) {
        sent.add(piece);
        exchange.attempt(this::deliver);
    }

    /** The client has sent all of it. */
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

    /** Hands it to a reader from here on, when the handler has returned. */
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
            if (received > limit) {
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

    /** Nobody is interested in it any more. */
    void drop() {
        over = true;
    }

    /** Collects a body for an action. */
    static BodyReader whole(Consumer<ByteBuf> action) {
        ByteBuf collected = Unpooled.buffer(); // on the heap: one that is never complete is no leak
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
