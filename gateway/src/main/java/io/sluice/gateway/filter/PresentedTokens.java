package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where requests carry tokens: {@code Authorization: Bearer} (RFC 6750 section 2.1). WebSocket handshakes
 * may also have them behind {@code bearer} in {@code Sec-WebSocket-Protocol}, which is what browsers let
 * scripts set, or as the query parameter {@code access_token} (section 2.3).
 */
final class PresentedTokens {
    private static final String SCHEME = "Bearer";
    private static final String PARAMETER = "access_token";
    private static final int MAX_PARAMETERS = 1024;

    private PresentedTokens() {
    }

    /**
     * Every token that a request carries, in whatever way. One that carries several is ambiguous.
     *
     * @param socket whether its route opens WebSockets: no other's handshakes are any
     */
    static List<String> of(HttpRequest request, boolean socket) {
        var tokens = new ArrayList<String>(1);
        addAuthorization(request.headers(), tokens);
        if (socket && isHandshake(request)) {
            tokens.addAll(Subprotocols.of(request.headers()).tokens());
            addParameter(request.uri(), tokens);
        }
        return tokens;
    }

    private static void addAuthorization(HttpHeaders headers, List<String> tokens) {
        List<String> fields = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        if (fields.size() > 1) {
            // Others on the way may have gone by either.
            tokens.addAll(fields);
        } else if (!fields.isEmpty() && isBearer(fields.getFirst())) {
            tokens.add(fields.getFirst().substring(SCHEME.length()).strip());
        }
    }

    /** RFC 9110 section 11.4: the scheme's name in any case, and then a space. */
    private static boolean isBearer(String field) {
        return field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && (field.length() == SCHEME.length() || field.charAt(SCHEME.length()) == ' ');
    }

    /** RFC 6455 section 4.1. Anywhere else a token in an address would be an invitation to pass it on. */
    private static boolean isHandshake(HttpRequest request) {
        return request.method().equals(HttpMethod.GET) && request.headers()
                .containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }

    private static void addParameter(String target, List<String> tokens) {
        try {
            var query = new QueryStringDecoder(target, StandardCharsets.UTF_8, true, MAX_PARAMETERS, true);
            tokens.addAll(query.parameters().getOrDefault(PARAMETER, List.of()));
        } catch (IllegalArgumentException _) {
            // A broken percent-encoding: there is no telling what it says.
        }
    }
}
