package io.sluice.gateway.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.IpLiteral;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Restricts the admin port to host names that no attacker can register: IP addresses, names without a dot,
 * names under {@code .localhost} (RFC 6761 section 6.3), and configured names. Otherwise a web page could
 * point its own host name to this machine (DNS rebinding) and read the admin port through a visitor's
 * browser.
 */
final class AdminHosts implements Filter {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[(?<v6>[^]]*)]|(?<name>[^:]*))(?::[0-9]*)?");

    private final Set<String> allowed;

    /** Allows these names, ignoring case, besides the names that are always allowed. */
    AdminHosts(Set<String> allowed) {
        this.allowed = allowed;
    }

    /**
     * Responds with 421 if the request names another host. A request without Host passes, as no browser sends
     * one.
     */
    @Override
    public RouteHandler around(RouteHandler handler) {
        return exchange -> {
            String host = exchange.headers().get(HttpHeaderNames.HOST);
            if (host != null && !isServed(host.toLowerCase(Locale.ROOT))) {
                throw new HttpException(HttpResponseStatus.MISDIRECTED_REQUEST, "host: " + host
                        + " (expected: an IP address, a name without a dot, or one of "
                        + "sluice.admin.allowed-hosts)");
            }
            handler.handle(exchange);
        };
    }

    private boolean isServed(String host) {
        Matcher authority = AUTHORITY.matcher(host);
        if (!authority.matches()) {
            return false;
        }
        String name = authority.group("name");
        return name == null || IpLiteral.parse(name) != null || name.endsWith(".localhost")
                || name.indexOf('.') < 0 && name.indexOf('%') < 0
                || allowed.stream().anyMatch(name::equalsIgnoreCase);
    }
}
