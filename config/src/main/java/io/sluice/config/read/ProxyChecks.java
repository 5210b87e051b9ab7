package io.sluice.config.read;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.IpLiteral;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks routes of the kind {@code proxy}. */
final class ProxyChecks {
    /** A name, or an IPv6 address in brackets, with an optional port (RFC 3986 section 3.2). */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._~-]+|\\[(.*:.*)])(:([0-9]{1,5}))?");
    private static final Pattern RULE = Pattern.compile("keep|endpoint", Pattern.CASE_INSENSITIVE);

    private ProxyChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Proxy proxy, Setting at) {
        proxy.stripPrefix().ifPresent(prefix -> checkPrefix(prefix, route, at.at("strip-prefix")));
        if (proxy.host() != null) {
            checkHost(proxy.host(), at.at("host"));
        }
    }

    private static void checkPrefix(String prefix, RouteConfig route, Setting at) {
        if (route.path() != null && !(route.path() + "/").startsWith(prefix + "/")) {
            at.wrong(prefix, "whole segments that the path %s begins with".formatted(route.path()));
        }
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
