package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.access.Subprotocols;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.peer.Client;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** The server's part of the opening handshake (RFC 6455 section 4.2). */
final class Handshake {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_LENGTH = 16;

    private Handshake() {
    }

    /**
     * Checks a request.
     *
     * @throws HttpException 426 where it asks for no WebSocket or one of another version, 400 where it is
     *     malformed, 403 where it comes from a page that may not
     */
    static void check(HttpExchange exchange, SocketConfig config) {
        HttpRequest request = exchange.request();
        HttpHeaders headers = request.headers();
        if (!asksForWebSocket(request)) {
            throw upgradeRequired("this is no WebSocket handshake (expected: Upgrade: websocket)");
        }
        if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                || headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION).size() > 1) {
            throw upgradeRequired("Sec-WebSocket-Version (expected: " + VERSION + ')');
        }
        if (!isKey(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
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
                    "this page's origin may not open sockets here");
        }
    }

    private static boolean asksForWebSocket(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return request.method().equals(HttpMethod.GET)
                && request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
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
    static HttpException upgradeRequired(String detail) {
        return new HttpException(HttpResponseStatus.UPGRADE_REQUIRED, detail)
                .with(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .with(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .with(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    }

    private static HttpException badRequest(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }

    /** Writes the headers of the answer. */
    static void answer(HttpHeaders request, HttpHeaders answer, SocketConfig config,
                       PerMessageDeflate compression) {
        answer.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
        answer.set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        answer.set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
                accept(request.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
        String subprotocol = Subprotocols.of(request).agreed(config.subprotocols().orElse(Set.of()));
        if (subprotocol != null) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, subprotocol);
        }
        if (compression != null) {
            answer.set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, compression.header());
        }
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
