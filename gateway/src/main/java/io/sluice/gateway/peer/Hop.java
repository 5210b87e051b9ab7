package io.sluice.gateway.peer;

import io.sluice.config.type.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A proxy's statement about the sender of a request.
 *
 * @param node null if it is not stated
 * @param scheme null if it is not stated
 * @param host null if it is not stated
 */
record Hop(@Nullable InetSocketAddress node, @Nullable String scheme, @Nullable String host) {
    /**
     * RFC 7239 section 4: name=value, with or without quotation marks. A backslash within them precedes a
     * character (RFC 9110 section 5.6.4).
     */
    private static final Pattern PAIR = Pattern.compile(
            "[ \\t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([^\\s\",;=]+)"
            + "|\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+){0,100}+)\")[ \\t]*)?(;|\\z)");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    /** A node identifier (RFC 7239 section 6). */
    private static final Pattern NODE = Pattern.compile(
            "(?:\\[([^]]+)]|([^:]+))(?::([0-9]{1,5}|_[\\w.-]+))?");

    /** Parses an element of Forwarded; null if it is malformed. */
    static @Nullable Hop ofForwarded(String element) {
        Map<String, String> values = new HashMap<>();
        Matcher pair = PAIR.matcher(element);
        for (int at = 0; at < element.length(); at = pair.end()) {
            if (!pair.region(at, element.length()).lookingAt()) {
                return null;
            }
            String value = pair.group(2) != null ? pair.group(2)
                    : pair.group(3) != null ? ESCAPED.matcher(pair.group(3)).replaceAll("$1") : null;
            if (value != null && values.put(pair.group(1).toLowerCase(Locale.ROOT), value) != null) {
                return null;
            }
        }
        return new Hop(node(values.getOrDefault("for", "")), scheme(values.get("proto")), values.get("host"));
    }

    /** Parses an element of X-Forwarded-For. */
    static Hop ofAddress(String element) {
        return new Hop(node(element), null, null);
    }

    /** Null if the node is unknown, obfuscated or malformed. */
    private static @Nullable InetSocketAddress node(String text) {
        // IPv6 without brackets is not valid by section 6, but many proxies write it.
        InetAddress bare = IpLiteral.parse(text);
        if (bare != null) {
            return new InetSocketAddress(bare, 0);
        }
        Matcher node = NODE.matcher(text);
        if (!node.matches()) {
            return null;
        }
        boolean brackets = node.group(1) != null;
        InetAddress address = IpLiteral.parse(brackets ? node.group(1) : node.group(2));
        String port = node.group(3) == null || node.group(3).startsWith("_") ? "0" : node.group(3);
        return address == null || brackets && node.group(1).indexOf(':') < 0
                || Integer.parseInt(port) > 65_535 ? null
                : new InetSocketAddress(address, Integer.parseInt(port));
    }

    /** Normalises a scheme: some proxies send ws and wss for WebSockets. Null if it is unknown. */
    static @Nullable String scheme(@Nullable String text) {
        return switch (text == null ? "" : text.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> "http";
            case "https", "wss" -> "https";
            default -> null;
        };
    }
}
