package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.peer.Credential;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Controls the access to a route by bearer tokens (RFC 6750) and gives its handler the caller's name. */
public final class Access implements Filter {
    private static final String CHALLENGE = "Bearer realm=\"sluice\"";

    private final Tokens tokens;
    /** The callers that may use the route; null if everybody may. */
    private final @Nullable Set<String> names;
    private final boolean sockets;

    Access(Tokens tokens, @Nullable Set<String> names, boolean sockets) {
        this.tokens = tokens;
        this.names = names;
        this.sockets = sockets;
    }

    /**
     * Returns the same access control for a WebSocket route, whose handshakes may carry tokens in more ways.
     */
    public Access toSockets() {
        return new Access(tokens, names, true);
    }

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            identify(exchange);
            require(exchange);
            next.handle(exchange);
        };
    }

    /**
     * Sets the caller from the token. Requests over a WebSocket inherit its caller for as long as the token
     * of its handshake holds, which a reload can end.
     */
    private void identify(Exchange exchange) {
        if (exchange.caller() != null) {
            if (!tokens.holds(Credential.of(exchange))) {
                Credential.removeFrom(exchange);
            }
            return;
        }
        Credential shown = tokens.isEmpty() ? null : shownBy(exchange.request());
        if (shown != null) {
            shown.passTo(exchange);
        }
    }

    /** Returns the credential of the request's token; null if it has none, several, or an unknown one. */
    @Nullable Credential shownBy(HttpRequest head) {
        List<String> presented = PresentedTokens.of(head, sockets);
        return presented.size() == 1 ? tokens.find(presented.getFirst()) : null;
    }

    /** Returns whether tunnels and streams of this credential may stay open after a reload. */
    public boolean admits(Credential credential) {
        return tokens.holds(credential)
                && (names == null || credential.owner() != null && names.contains(credential.owner()));
    }

    /**
     * Admits an exchange by the owner of its token: a caller that a plug-in has named, for a WebSocket whose
     * requests inherit it, is none.
     *
     * @throws HttpException 401 without a known token, 403 if its owner may not use the route (RFC 6750
     *     section 3.1); 400 for more than one token, which makes the caller ambiguous
     */
    void require(Exchange exchange) {
        if (names == null) {
            return;
        }
        String owner = Credential.of(exchange).owner();
        if (owner == null) {
            throw unknown(exchange.request());
        }
        if (!names.contains(owner)) {
            throw refusal(HttpResponseStatus.FORBIDDEN, "insufficient_scope",
                    "this token is for other routes");
        }
    }

    private HttpException unknown(HttpRequest head) {
        return switch (PresentedTokens.of(head, sockets).size()) {
            case 0 -> new HttpException(HttpResponseStatus.UNAUTHORIZED,
                    "no token (expected: Authorization: Bearer <token>)")
                    .with(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
            case 1 -> refusal(HttpResponseStatus.UNAUTHORIZED, "invalid_token",
                    "a token that is not known here");
            default -> refusal(HttpResponseStatus.BAD_REQUEST, "invalid_request",
                    "more than one token (expected: one, presented in one way)");
        };
    }

    private static HttpException refusal(HttpResponseStatus status, String error, String detail) {
        return new HttpException(status, detail)
                .with(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE + ", error=\"" + error + '"');
    }
}
