package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines the target of a request to an upstream: the path and the query as the client has sent them,
 * without the prefix, or with another path around its captures. A path that a server could read as another
 * one than the route has matched is refused.
 */
final class UpstreamTarget {
    /** Octets that some servers decode before they resolve dot segments: dot, slash, backslash, semicolon. */
    private static final Pattern SEPARATOR = Pattern.compile("%2[fF]|%5[cC]|\\\\");
    private static final Pattern DOT = Pattern.compile("%2[eE]");
    private static final Pattern PARAMETERS = Pattern.compile("(;|%3[bB])[^/]*");

    private final PathTemplate template;
    /** The beginning of paths that the upstream does not get; empty for none. */
    private final String prefix;
    /** Null if the path is not rewritten. */
    private final @Nullable PathRewrite rewrite;

    /**
     * Creates the rule of a route.
     *
     * @param path of the route
     */
    UpstreamTarget(PathTemplate path, HandlerConfig.Proxy config) {
        template = path;
        prefix = config.stripPrefix().filter(of -> !of.equals("/")).orElse("");
        rewrite = config.rewrite().map(to -> new PathRewrite(path, to)).orElse(null);
    }

    /** Returns the beginning of paths that the upstream does not get; empty for none. */
    String prefix() {
        return prefix;
    }

    /**
     * Returns the target of a request.
     *
     * @throws HttpException 400 if the path has dot segments or empty segments, or an encoded prefix; or, if
     *     the upstream gets another path, captures that a server may read as several segments or none
     */
    String of(Exchange exchange) {
        String target = originForm(exchange.request().uri());
        int end = target.indexOf('?');
        String path = end < 0 ? target : target.substring(0, end);
        if (path.indexOf('%') >= 0 || path.indexOf(';') >= 0 || !path.equals(exchange.path())) {
            requirePlainSegments(path);
            if (rewrite != null || !prefix.isEmpty()) {
                requireWholeCaptures(path);
            }
        }
        if (rewrite != null) {
            return rewrite.of(path) + target.substring(path.length());
        }
        if (prefix.isEmpty()) {
            return target;
        }
        boolean whole = path.startsWith(prefix)
                && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
        if (!whole) {
            throw refusal("its beginning encoded; send " + prefix);
        }
        String rest = target.substring(prefix.length());
        return rest.startsWith("/") ? rest : '/' + rest;
    }

    /** Returns path and query of an absolute target (RFC 9112 section 3.2.2), and others as they are. */
    private static String originForm(String uri) {
        if (uri.startsWith("/") || uri.equals("*")) {
            return uri;
        }
        int path = uri.indexOf('/', uri.indexOf("://") + 3);
        int query = uri.indexOf('?');
        if (path >= 0 && (query < 0 || path < query)) {
            return uri.substring(path);
        }
        return query < 0 ? "/" : '/' + uri.substring(query);
    }

    /** Refuses segments that are empty, or dots for a server that decodes them, or drops their parameters. */
    private static void requirePlainSegments(String path) {
        if (path.contains("//")) {
            throw refusal("empty segments");
        }
        for (String segment : withoutParameters(SEPARATOR.matcher(DOT.matcher(path).replaceAll("."))
                .replaceAll("/")).split("/")) {
            if (segment.equals(".") || segment.equals("..")) {
                throw refusal("dot segments");
            }
        }
    }

    /** Refuses captures that a server may read as several segments, or as none. */
    private void requireWholeCaptures(String path) {
        String[] sent = path.substring(1).split("/");
        for (int i = 0; i < template.segments().size(); i++) {
            if (template.segments().get(i) instanceof Capture capture
                    && (SEPARATOR.matcher(sent[i]).find() || withoutParameters(sent[i]).isEmpty())) {
                throw refusal("encoded slashes or only parameters in " + capture);
            }
        }
    }

    private static String withoutParameters(String path) {
        return PARAMETERS.matcher(path).replaceAll("");
    }

    private static HttpException refusal(String why) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "a path for an upstream with " + why);
    }
}
