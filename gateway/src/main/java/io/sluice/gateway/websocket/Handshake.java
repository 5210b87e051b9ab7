package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.filter.Subprotocols;
import io.sluice.handlers.Client;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Upgrade;
import io.sluice.handlers.websocket.HandshakeKey;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of the opening handshake: with a key over HTTP/1.1 (RFC 6455 section 4.2), without one
 * over HTTP/2 (RFC 8441 section 5).
 */
final class Handshake {
    static final String PROTOCOL = "websocket";

    private static final String VERSION = "13";
    private static final int KEY_LENGTH = 16;

    private Handshake() {
    }

    /**
     * Validates a handshake request and returns its upgrade.
     *
     * @throws HttpException 426 if it does not ask for a WebSocket of version 13, 501 if it asks for another
     *     protocol over HTTP/2, 400 if it is malformed, 403 if its origin is not allowed
     */
    static Upgrade check(Exchange exchange, SocketConfig config) {
        HttpHeaders headers = exchange.headers();
        Upgrade upgrade = exchange.upgrade().orElseThrow(() ->
                upgradeRequired("this is no WebSocket handshake (expected: Upgrade: websocket)"));
        requireWebSocket(upgrade, exchange.request());
        if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                || headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION).size() > 1) {
            throw upgradeRequired("Sec-WebSocket-Version (expected: " + VERSION + ')');
        }
        if (hasKey(exchange.request()) && !isKey(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
            throw badRequest("Sec-WebSocket-Key (expected: one, 16 bytes in Base64)");
        }
        if (exchange.hasBody()) {
            throw badRequest("a handshake with a body (expected: none)");
        }
        List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
        if (origins.size() > 1) {
            throw badRequest("Origin: " + origins.size() + " fields (expected: at most one)");
        }
        Client client = exchange.client();
        String host = client.hostOf(headers);
        if (!origins.isEmpty() && config.origins().stream()
                .noneMatch(may -> may.matches(origins.getFirst(), client.scheme(), host))) {
            throw new HttpException(HttpResponseStatus.FORBIDDEN,
                    "Origin: %s (expected: one of the route's socket.origins)".formatted(origins.getFirst()));
        }
        return upgrade;
    }

    /**
     * Rejects requests for other protocols. RFC 9220 section 3 defines 501 for HTTP/3; RFC 8441 defines no
     * status for HTTP/2, which gets the same.
     */
    private static void requireWebSocket(Upgrade upgrade, HttpRequest request) {
        if (!upgrade.offers(PROTOCOL) && !hasKey(request)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED,
                    ":protocol: " + upgrade.protocols().getFirst() + " (expected: " + PROTOCOL + ')');
        }
        if (!upgrade.offers(PROTOCOL) || !request.method().equals(HttpMethod.GET)) {
            throw upgradeRequired("this is no WebSocket handshake (expected: GET and Upgrade: websocket)");
        }
    }

    /** Returns whether the handshake carries a Sec-WebSocket-Key, which it does over HTTP/1.1 only. */
    private static boolean hasKey(HttpRequest request) {
        return request.protocolVersion().majorVersion() == 1;
    }

    private static boolean isKey(List<String> keys) {
        try {
            return keys.size() == 1 && keys.getFirst().length() == 24
                    && Base64.getDecoder().decode(keys.getFirst()).length == KEY_LENGTH;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * A 426 with the protocol and version that are expected (RFC 9110 section 15.5.22, RFC 6455 section 4.4).
     */
    private static HttpException upgradeRequired(String detail) {
        return new HttpException(HttpResponseStatus.UPGRADE_REQUIRED, detail)
                .with(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .with(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .with(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    }

    private static HttpException badRequest(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }

    /**
     * The headers of the response that accepts a handshake.
     *
     * @param compression the negotiated parameters; null if messages are not compressed
     */
    static HttpHeaders answer(HttpRequest request, SocketConfig config,
                              @Nullable PerMessageDeflate compression) {
        HttpHeaders headers = request.headers();
        HttpHeaders answer = new DefaultHttpHeaders();
        if (hasKey(request)) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
                    HandshakeKey.accept(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
        }
        String subprotocol = Subprotocols.of(headers).agreed(config.subprotocols().orElse(Set.of()));
        if (subprotocol != null) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, subprotocol);
        }
        if (compression != null) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, compression.header());
        }
        return answer;
    }
}
