package io.sluice.config.type;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The address of an upstream's endpoint, written {@code http://10.0.0.7:8080} or
 * {@code https://shop.internal}.
 *
 * @param secure whether the scheme is https
 * @param host an IP address, IPv6 without brackets, or a name
 * @param port 0..65535; nothing listens on 0, which {@code server.port} may be
 */
public record EndpointUrl(boolean secure, String host, int port) {
    public static final String EXPECTED = "http:// or https:// with a host and, if needed, a port";

    /**
     * Reads a URL without user, path, query and fragment.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static EndpointUrl parse(String text) {
        URI uri = uri(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https");
        if (!secure && !scheme.equals("http") || uri.getHost() == null) {
            throw new IllegalArgumentException(EXPECTED);
        }
        boolean more = uri.getRawUserInfo() != null || uri.getRawQuery() != null
                || uri.getRawFragment() != null;
        if (more || !uri.getRawPath().isEmpty() && !uri.getRawPath().equals("/")) {
            throw new IllegalArgumentException(EXPECTED + "; no user, path or query");
        }
        int port = uri.getPort() < 0 ? defaultPort(secure) : uri.getPort();
        if (port > 65_535) {
            throw new IllegalArgumentException("a port of 0..65535");
        }
        return new EndpointUrl(secure, uri.getHost().replaceAll("^\\[|]$", ""), port);
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    private static int defaultPort(boolean secure) {
        return secure ? 443 : 80;
    }

    /** Returns the value of Host: without the scheme's default port (RFC 9110 section 7.2). */
    public String authority() {
        String bracketed = host.indexOf(':') < 0 ? host : '[' + host + ']';
        return port == defaultPort(secure) ? bracketed : bracketed + ':' + port;
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority();
    }
}
