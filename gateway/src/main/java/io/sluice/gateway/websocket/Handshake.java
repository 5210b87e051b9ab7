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
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Peer;
import io.sluice.handlers.Upgrade;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * The server's part of the opening handshake: over HTTP/1.1 by a key and an answer to it (RFC 6455 section
 * 4.2), over HTTP/2 without them (RFC 8441 section 5).
 */
final class Handshake {
    static final String PROTOCOL = "websocket";

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_LENGTH = 16;

    private Handshake() {
    }

    /**
     * Checks a request, and returns what its client offers.
     *
     * @throws HttpException 426 where it asks for no WebSocket or one of another version, over HTTP/2 501
     *     where it asks for another protocol, 400 where it is malformed, 403 where its origin may open no
     *     sockets
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
        Peer client = exchange.peer();
        String host = client.hostOf(headers);
        if (!origins.isEmpty() && config.origins().stream()
                .noneMatch(may -> may.matches(origins.getFirst(), client.scheme(), host))) {
            throw new HttpException(HttpResponseStatus.FORBIDDEN,
                    "this page's origin may not open sockets here");
        }
        return upgrade;
    }

    /** The other status is RFC 9220's, for HTTP/3 (section 3); for HTTP/2 there is none. */
    private static void requireWebSocket(Upgrade upgrade, HttpRequest request) {
        if (!upgrade.offers(PROTOCOL) && !hasKey(request)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED,
                    ":protocol: " + upgrade.protocols().getFirst() + " (expected: " + PROTOCOL + ')');
        }
        if (!upgrade.offers(PROTOCOL) || !request.method().equals(HttpMethod.GET)) {
            throw upgradeRequired("this is no WebSocket handshake (expected: GET and Upgrade: websocket)");
        }
    }

    /** Whether a handshake proves by a key that its client and all between mean a WebSocket. */
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

    /** 426, with what is expected (RFC 9110 section 15.5.22, RFC 6455 section 4.4). */
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
     * The headers of the answer.
     *
     * @param compression what was agreed on; null for none
     */
    static HttpHeaders answer(HttpRequest request, SocketConfig config, PerMessageDeflate compression) {
        HttpHeaders headers = request.headers();
        HttpHeaders answer = new DefaultHttpHeaders();
        if (hasKey(request)) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
                    accept(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
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

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every Java has SHA-1", e);
        }
    }
}
