package io.sluice.gateway.negotiation;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.config.CorsConfig;
import io.sluice.config.HeaderName;
import io.sluice.config.Method;
import io.sluice.config.OriginPattern;
import io.sluice.gateway.client.Client;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells browsers which pages of other origins may use a route and read its answers (the Fetch standard, "CORS
 * protocol"). It is for browsers to enforce: a page that may not gets an answer that does not say it may.
 */
public final class Cors {
    /** Says nothing, so that none may. */
    public static final Cors NONE = new Cors(null, Set.of(), Set.of(), Set.of());

    /** Null where none may. */
    private final CorsConfig config;
    private final String methods;
    private final String headers;
    private final String expose;

    private Cors(CorsConfig config, Set<Method> methods, Set<HeaderName> headers, Set<HeaderName> expose) {
        this.config = config;
        this.methods = list(methods);
        this.headers = list(headers);
        this.expose = list(expose);
    }

    /** As configured for a route that is for these methods. */
    public static Cors of(CorsConfig config, Set<Method> methods) {
        EnumSet<Method> all = EnumSet.copyOf(methods);
        if (all.contains(Method.GET)) {
            all.add(Method.HEAD);
        }
        return new Cors(config, all, config.headers(), config.expose());
    }

    private static String list(Collection<?> names) {
        return names.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    /** Whether a request asks beforehand what another may be. */
    public static boolean isPreflight(HttpHeaders options) {
        return options.contains(HttpHeaderNames.ORIGIN)
                && options.contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
    }

    /** Says in an answer whether the page that has asked may read it. */
    public void answer(HttpHeaders request, Client client, HttpHeaders answer) {
        if (config != null && allow(request, client.scheme(), client.hostOf(request), answer)) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, expose);
        }
    }

    /** Says in an answer to OPTIONS what a page may ask for. None has to ask about its own server. */
    public void answerPreflight(HttpHeaders request, HttpHeaders answer) {
        if (!allow(request, null, request.get(HttpHeaderNames.HOST, ""), answer)) {
            return;
        }
        answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, methods);
        answer.set(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, config.maxAge().toSeconds());
        // Any are those that are asked for: a * would not mean Authorization.
        String allowed = config.headers().contains(HeaderName.ANY)
                ? list(request.getAll(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS)) : headers;
        if (!allowed.isEmpty()) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        }
    }

    /** Whether it may; caches are told where that depends on who asks. */
    private boolean allow(HttpHeaders request, String scheme, String host, HttpHeaders answer) {
        if (config == null) {
            return false;
        }
        if (config.origins().contains(OriginPattern.ANY)) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, OriginPattern.ANY);
            return true;
        }
        Vary.on(HttpHeaderNames.ORIGIN, answer);
        List<String> origins = request.getAll(HttpHeaderNames.ORIGIN);
        if (origins.size() != 1 || config.origins().stream()
                .noneMatch(may -> may.matches(origins.getFirst(), scheme, host))) {
            return false;
        }
        answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origins.getFirst());
        if (config.credentials()) {
            answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        return true;
    }
}
