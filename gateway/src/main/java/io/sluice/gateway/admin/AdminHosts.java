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
 * Serves the admin port under names that no stranger can register: IP addresses, names without a dot, those
 * under {@code .localhost} (RFC 6761 section 6.3), and configured ones. A page whose own name has been made
 * to mean this machine (DNS rebinding) would otherwise read the admin port through its visitor's browser.
 */
final class AdminHosts implements Filter {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[(?<v6>[^]]*)]|(?<name>[^:]*))(?::[0-9]*)?");

    private final Set<String> allowed;

    /** With these names, in any case, besides those that are always served. */
    AdminHosts(Set<String> allowed) {
        this.allowed = allowed;
    }

    /** Answers with 421 where another host is asked for. A client without Host is no browser. */
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
