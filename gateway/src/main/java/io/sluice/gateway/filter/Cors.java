package io.sluice.gateway.filter;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.sluice.config.CorsConfig;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.Method;
import io.sluice.config.type.OriginPattern;
import io.sluice.handlers.Client;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Allows pages of other origins to use a route and to read its responses (the Fetch standard, "CORS
 * protocol"). Browsers enforce the reading: disallowed origins get the response without CORS headers.
 * Requests of disallowed origins that may change something get 403, as browsers send some of them without a
 * preflight.
 */
public final class Cors implements Filter {
    /** Allows no other origin. */
    public static final Cors NONE = new Cors(null, Set.of(), Set.of(), Set.of());

    private static final AsciiString SEC_FETCH_SITE = AsciiString.cached("sec-fetch-site");
    private static final OriginPattern SELF = OriginPattern.parse("self");

    /** Null if no other origin is allowed. */
    private final @Nullable CorsConfig config;
    /** Empty if any is allowed. */
    private final String methods;
    private final String headers;
    private final String expose;

    private Cors(@Nullable CorsConfig config, Set<Method> methods, Set<HeaderName> headers,
                 Set<HeaderName> expose) {
        this.config = config;
        this.methods = methods.contains(Method.ANY) ? "" : list(methods);
        this.headers = list(headers);
        this.expose = list(expose);
    }

    /**
     * Creates the filter of a route.
     *
     * @param methods of the route; GET includes HEAD
     */
    public static Cors of(CorsConfig config, Set<Method> methods) {
        Set<Method> all = new TreeSet<>(methods);
        if (all.contains(Method.GET)) {
            all.add(Method.HEAD);
        }
        return new Cors(config, all, config.headers(), config.expose());
    }

    private static String list(Collection<?> names) {
        return names.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    /** Returns whether an OPTIONS request is a preflight. */
    public static boolean isPreflight(HttpHeaders options) {
        return options.contains(HttpHeaderNames.ORIGIN)
                && options.contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
    }

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            if (config != null && methods.isEmpty() && isPreflight(exchange)) {
                respondToPreflight(exchange);
                return;
            }
            if (config != null) {
                exchange.onResponse(answer -> answer(exchange, answer.headers()));
            }
            requireDeclared(exchange);
            next.handle(exchange);
        };
    }

    /** Returns whether a request is a preflight. */
    private static boolean isPreflight(Exchange exchange) {
        return exchange.request().method().equals(HttpMethod.OPTIONS) && isPreflight(exchange.headers());
    }

    /** Responds for a route that serves OPTIONS only as it serves any method. */
    private void respondToPreflight(Exchange exchange) {
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT,
                Unpooled.EMPTY_BUFFER);
        answerPreflight(exchange.headers(), answer.headers());
        exchange.respond(answer);
    }

    /**
     * Refuses requests of pages whose origin is not allowed, except for safe methods. Decides by
     * {@code Sec-Fetch-Site} if present, else by {@code Origin}; a request without either is not from a
     * browser.
     *
     * @throws HttpException 403
     */
    private void requireDeclared(Exchange exchange) {
        if (isSafe(exchange.request().method())) {
            return;
        }
        HttpHeaders headers = exchange.headers();
        Client client = exchange.client();
        if (isForeign(headers, client) && !isDeclared(headers, client.scheme(), client.hostOf(headers))) {
            throw new HttpException(HttpResponseStatus.FORBIDDEN,
                    "a page of an origin that may not use this route (expected: one of its cors.origins)");
        }
    }

    private static boolean isSafe(HttpMethod method) {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)
                || method.equals(HttpMethod.OPTIONS);
    }

    private static boolean isForeign(HttpHeaders request, Client client) {
        String site = request.get(SEC_FETCH_SITE);
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        List<String> origins = request.getAll(HttpHeaderNames.ORIGIN);
        return !origins.isEmpty() && !(origins.size() == 1
                && SELF.matches(origins.getFirst(), client.scheme(), client.hostOf(request)));
    }

    private boolean isDeclared(HttpHeaders request, @Nullable String scheme, String host) {
        if (config == null) {
            return false;
        }
        List<String> origins = request.getAll(HttpHeaderNames.ORIGIN);
        return config.origins().contains(OriginPattern.ANY) || origins.size() == 1
                && config.origins().stream().anyMatch(may -> may.matches(origins.getFirst(), scheme, host));
    }

    /** Adds the CORS headers to a response if the page may read it, in place of those of an upstream. */
    private void answer(Exchange exchange, HttpHeaders answer) {
        answer.remove(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN)
                .remove(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS)
                .remove(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS);
        HttpHeaders request = exchange.headers();
        if (allow(request, exchange.client().scheme(), exchange.client().hostOf(request), answer)) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, expose);
        }
    }

    /**
     * Adds the CORS headers to the response to OPTIONS. The origin of the gateway itself needs no preflight.
     */
    public void answerPreflight(HttpHeaders request, HttpHeaders answer) {
        if (config == null || !allow(request, null, request.get(HttpHeaderNames.HOST, ""), answer)) {
            return;
        }
        // As with headers, the value * would not hold for requests with credentials.
        answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, methods.isEmpty()
                ? request.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD) : methods);
        answer.set(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, config.maxAge().toSeconds());
        // Any header means the requested ones: the value * would not include Authorization.
        String allowed = config.headers().contains(HeaderName.ANY)
                ? list(request.getAll(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS)) : headers;
        if (!allowed.isEmpty()) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        }
    }

    /**
     * Returns whether the origin is allowed, and sets its headers; adds Vary where that depends on the
     * origin.
     */
    private boolean allow(HttpHeaders request, @Nullable String scheme, String host, HttpHeaders answer) {
        if (config == null) {
            return false;
        }
        if (config.origins().contains(OriginPattern.ANY)) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, OriginPattern.ANY);
            return true;
        }
        Vary.on(HttpHeaderNames.ORIGIN, answer);
        if (!isDeclared(request, scheme, host)) {
            return false;
        }
        answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, request.get(HttpHeaderNames.ORIGIN));
        if (config.credentials()) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        return true;
    }
}
