package io.sluice.gateway.filter;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.Upgrade;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes out of WebSocket handshakes the tokens that only handshakes may carry, so that an upstream does not
 * get them. To be used behind {@link Access#toSockets}.
 */
final class HandshakeTokens implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> next.handle(PresentedTokens.isHandshake(exchange.request())
                ? new WithoutTokens(exchange) : exchange);
    }

    /** An exchange whose request is the same except for its tokens. */
    private static final class WithoutTokens extends ExchangeWrapper {
        private final HttpRequest request;
        private final Subprotocols offered;

        WithoutTokens(Exchange wrapped) {
            super(wrapped);
            HttpRequest received = wrapped.request();
            offered = Subprotocols.of(received.headers());
            HttpHeaders headers = received.headers().copy();
            if (!offered.tokens().isEmpty()) {
                setOffers(offered.names(), headers);
            }
            request = new DefaultHttpRequest(received.protocolVersion(), received.method(),
                    PresentedTokens.withoutParameter(received.uri()), headers);
        }

        private static void setOffers(List<String> names, HttpHeaders headers) {
            headers.remove(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
            if (!names.isEmpty()) {
                headers.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, String.join(", ", names));
            }
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<Upgrade> upgrade() {
            return super.upgrade().map(upgrade -> new AgreedUpgrade(upgrade, offered));
        }
    }

    /** An upgrade that agrees on the subprotocol of the token if the handler does on none. */
    private record AgreedUpgrade(Upgrade wrapped, Subprotocols offered) implements Upgrade {

        @Override
        public List<String> protocols() {
            return wrapped.protocols();
        }

        @Override
        public void accept(String protocol, HttpHeaders headers, Tunnel tunnel) {
            String agreed = offered.agreed(Set.of());
            if (agreed != null && !headers.contains(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
                headers.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, agreed);
            }
            wrapped.accept(protocol, headers, tunnel);
        }
    }
}
