package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes compressed bodies of requests: the handlers behind it get the body and the head as if nothing had
 * been compressed. A body is decoded when it is whole, so a slow client holds no decoder; then by the event
 * loop, in turns.
 *
 * @param limit the largest body in bytes, as received and as decoded
 */
record RequestDecoding(long limit) implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            boolean mayBeCoded = exchange.hasBody()
                    && exchange.headers().contains(HttpHeaderNames.CONTENT_ENCODING);
            List<RequestCoding> codings = mayBeCoded ? RequestCoding.of(exchange.headers()) : List.of();
            next.handle(codings.isEmpty() ? exchange : new Decoded(exchange, codings, limit));
        };
    }

    /** An exchange whose body is decoded. */
    private static final class Decoded extends ExchangeWrapper {
        private final HttpRequest head;
        private final List<RequestCoding> codings;
        private long limit;
        /** The received body. Owned by this from its arrival to the end of the decoding. */
        private ByteBuf coded = Unpooled.EMPTY_BUFFER;
        private @Nullable BodyDecoder decoder;
        /** Indicates whether this has one of the places of {@link DecoderLimit}. */
        private boolean placed;

        Decoded(Exchange exchange, List<RequestCoding> codings, long limit) {
            super(exchange);
            this.codings = codings;
            this.limit = limit;
            HttpRequest coded = exchange.request();
            HttpHeaders headers = coded.headers().copy().remove(HttpHeaderNames.CONTENT_ENCODING)
                    .remove(HttpHeaderNames.CONTENT_LENGTH);
            head = new DefaultHttpRequest(coded.protocolVersion(), coded.method(), coded.uri(), headers);
        }

        @Override
        public HttpRequest request() {
            return head;
        }

        @Override
        public void limitBody(long bytes) {
            super.limitBody(bytes);
            limit = Math.min(limit, bytes);
        }

        @Override
        public void readBody(Consumer<ByteBuf> action) {
            wrapped().readBody(whole -> {
                coded = whole.retain();
                awaitTurn(action);
            });
        }

        @Override
        public void streamBody(BodyReader reader) {
            readBody(whole -> {
                reader.content(whole.retain());
                reader.end(EmptyHttpHeaders.INSTANCE);
            });
        }

        @Override
        public void resumeBody() {
            // The body is delivered whole.
        }

        private void awaitTurn(Consumer<ByteBuf> action) {
            LoopTurns.ofThisLoop().add(eventLoop(), () -> nextTurn(action));
        }

        private void nextTurn(Consumer<ByteBuf> action) {
            boolean[] taken = new boolean[1];
            wrapped().proceed(_ -> {
                taken[0] = true;
                turn(action);
            });
            if (!taken[0]) { // the exchange is over
                close();
            }
        }

        private void turn(Consumer<ByteBuf> action) {
            boolean unfinished = false;
            try {
                if (decoder == null) {
                    decoder = new BodyDecoder(alloc(), clientNetwork(), coded.retainedDuplicate(),
                            codings, limit);
                }
                ByteBuf whole = decoder.turn();
                unfinished = whole == null;
                if (whole != null) {
                    action.accept(whole);
                }
            } finally {
                if (!unfinished) {
                    close();
                }
            }
            if (unfinished) {
                continueLater(action);
            }
        }

        /** Keeps the decoder open if there is a place for it; otherwise the body is decoded anew later. */
        private void continueLater(Consumer<ByteBuf> action) {
            DecoderLimit open = DecoderLimit.ofThisLoop(limit);
            placed = placed || open.acquire();
            if (placed) {
                awaitTurn(action);
                return;
            }
            closeDecoder();
            open.await(clientNetwork(), () -> {
                placed = true;
                awaitTurn(action);
            });
        }

        private void closeDecoder() {
            if (decoder != null) {
                decoder.close();
                decoder = null;
            }
        }

        private void close() {
            closeDecoder();
            coded.release();
            if (placed) {
                placed = false;
                DecoderLimit.ofThisLoop(limit).release();
            }
        }
    }
}
