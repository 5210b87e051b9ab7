package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.type.IpLiteral;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Literal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks routes of the kind {@code proxy}. */
final class ProxyChecks {
    /** The characters of segments (RFC 3986 section 3.3) but {@code *}, {@code ;} and percent-encoding. */
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._~!$&'()+,=:@-]+");
    /** A name, or an IPv6 address in brackets, with an optional port (RFC 3986 section 3.2). */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._~-]+|\\[(.*:.*)])(:([0-9]{1,5}))?");
    private static final Pattern RULE = Pattern.compile("keep|endpoint", Pattern.CASE_INSENSITIVE);

    private ProxyChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Proxy proxy, Setting at) {
        proxy.stripPrefix().ifPresent(prefix -> checkPrefix(prefix, route, at.at("strip-prefix")));
        proxy.rewrite().ifPresent(rewrite -> {
            if (proxy.stripPrefix().isPresent()) {
                at.at("rewrite").wrong(rewrite, "either strip-prefix or rewrite");
            }
            checkRewrite(rewrite, route, at.at("rewrite"));
        });
        if (proxy.host() != null) {
            checkHost(proxy.host(), at.at("host"));
        }
        proxy.requestHeaders().ifPresent(changes ->
                HeaderChecks.checkRequest(changes, at.at("request-headers")));
        proxy.responseHeaders().ifPresent(changes ->
                HeaderChecks.checkResponse(changes, at.at("response-headers")));
    }

    private static void checkPrefix(String prefix, RouteConfig route, Setting at) {
        if (route.path() != null
                && (!(route.path() + "/").startsWith(prefix + "/") || prefix.indexOf('{') >= 0)) {
            at.wrong(prefix, "whole segments that the path %s begins with, none of them a capture"
                    .formatted(route.path()));
        }
    }

    private static void checkRewrite(PathTemplate rewrite, RouteConfig route, Setting at) {
        List<String> captures = route.path() == null ? List.of() : captures(route.path());
        for (PathTemplate.Segment segment : rewrite.segments()) {
            String text = segment.toString();
            if (segment instanceof Literal) {
                if (!SEGMENT.matcher(text).matches()) {
                    at.wrong(text, "letters, digits and -._~!$&'()+,=:@ in a segment");
                }
            } else if (route.path() != null && !captures.contains(text)) {
                at.wrong(text, "a capture of %s: %s"
                        .formatted(route.path(), ConfigProblems.oneOf(text, captures)));
            }
        }
    }

    private static List<String> captures(PathTemplate path) {
        return path.segments().stream().filter(segment -> !(segment instanceof Literal))
                .map(PathTemplate.Segment::toString).toList();
    }

    /** Accepts the rules only as they are written here: in capitals they would be names. */
    private static void checkHost(String host, Setting at) {
        Matcher parts = HOST.matcher(host);
        boolean valid = parts.matches() && (parts.group(2) == null || IpLiteral.parse(parts.group(2)) != null)
                && (parts.group(4) == null || Integer.parseInt(parts.group(4)) <= 65_535);
        if (!valid || RULE.matcher(host).matches() && !host.equals(host.toLowerCase(Locale.ROOT))) {
            at.wrong(HeaderText.printable(host),
                    "keep, endpoint, or a host with an optional port, such as shop.internal:8080");
        }
    }
}
