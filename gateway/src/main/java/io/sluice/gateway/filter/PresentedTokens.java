package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.handlers.http.TargetQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Collects the tokens of a request from {@code Authorization: Bearer} (RFC 6750 section 2.1). WebSocket
 * handshakes may also carry them after {@code bearer} in {@code Sec-WebSocket-Protocol}, the only header that
 * browsers let scripts set, or as the query parameter {@code access_token} (section 2.3).
 */
final class PresentedTokens {
    private static final String SCHEME = "Bearer";
    private static final String PARAMETER = "access_token";
    private static final Pattern EQUALS = Pattern.compile("^=+");

    private PresentedTokens() {
    }

    /**
     * Returns all tokens of a request. More than one makes the caller ambiguous.
     *
     * @param socket whether the route accepts WebSockets; other routes take no tokens from handshakes
     * @throws io.sluice.handlers.HttpException 400 if a token may be one of too many query parameters
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
            // Intermediaries may have used any of them.
            tokens.addAll(fields);
        } else if (!fields.isEmpty() && isBearer(fields.getFirst())) {
            tokens.add(fields.getFirst().substring(SCHEME.length()).strip());
        }
    }

    /** Returns whether the scheme is Bearer, ignoring case (RFC 9110 section 11.4). */
    private static boolean isBearer(String field) {
        return field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && (field.length() == SCHEME.length() || field.charAt(SCHEME.length()) == ' ');
    }

    /**
     * Returns whether a request is a WebSocket handshake (RFC 6455 section 4.1; over HTTP/2 there is no field
     * Connection). Other requests may not carry a token in the URL, where it leaks easily.
     */
    static boolean isHandshake(HttpRequest request) {
        HttpHeaders headers = request.headers();
        HttpVersion version = request.protocolVersion();
        return request.method().equals(HttpMethod.GET)
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && (version.majorVersion() == 2 || version.equals(HttpVersion.HTTP_1_1)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true));
    }

    /** Returns a target without the parameters that may hold a token. */
    static String withoutParameter(String target) {
        int query = target.indexOf('?') + 1;
        List<String> all = List.of(target.substring(query).split("&", -1));
        List<String> others = all.stream().filter(parameter -> !isToken(parameter)).toList();
        if (query == 0 || others.size() == all.size()) {
            return target;
        }
        return others.isEmpty() ? target.substring(0, query - 1)
                : target.substring(0, query) + String.join("&", others);
    }

    /** Returns whether a parameter holds a token. Netty ignores equals signs before its name. */
    private static boolean isToken(String parameter) {
        String name = EQUALS.matcher(parameter).replaceFirst("").split("=", 2)[0];
        try {
            return QueryStringDecoder.decodeComponent(name).equals(PARAMETER);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static void addParameter(String target, List<String> tokens) {
        try {
            tokens.addAll(TargetQuery.parameters(target).getOrDefault(PARAMETER, List.of()));
        } catch (IllegalArgumentException _) {
            // The percent-encoding is malformed, so the parameters are unknown.
        }
    }
}
