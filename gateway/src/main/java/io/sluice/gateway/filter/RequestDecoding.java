package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
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
public record RequestDecoding(long limit) implements Filter {

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
        /** Null unless the body is being decoded. */
        private @Nullable BodyDecoder decoder;

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
            wrapped().readBody(coded -> {
                decoder = new BodyDecoder(alloc(), coded.retain(), codings, limit);
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

        private void turn(Consumer<ByteBuf> action) {
            BodyDecoder current = decoder;
            decoder = null;
            if (current == null) {
                return;
            }
            try {
                ByteBuf whole = current.turn();
                if (whole != null) {
                    action.accept(whole);
                } else {
                    decoder = current;
                }
            } finally {
                if (decoder == null) {
                    current.close();
                }
            }
            if (decoder != null) {
                awaitTurn(action);
            }
        }

        private void nextTurn(Consumer<ByteBuf> action) {
            BodyDecoder before = decoder;
            boolean[] taken = new boolean[1];
            wrapped().proceed(_ -> {
                taken[0] = true;
                turn(action);
            });
            if (!taken[0] && before != null) { // the exchange is over
                decoder = null;
                before.close();
            }
        }
    }
}
