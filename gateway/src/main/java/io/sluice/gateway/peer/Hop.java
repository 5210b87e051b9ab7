package io.sluice.gateway.peer;

import io.sluice.config.type.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a proxy says of the one who sent it a request.
 *
 * @param node null where it does not tell
 * @param scheme null where it does not tell
 * @param host null where it does not tell
 */
record Hop(InetSocketAddress node, String scheme, String host) {
    /** RFC 7239 section 4: name=value, with or without quotation marks; no escapes, which nobody needs. */
    private static final Pattern PAIR = Pattern.compile(
            "[ \\t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([^\\s\",;=]+)|\"([^\"\\\\]*)\")[ \\t]*)?(;|$)");
    /** Section 6. */
    private static final Pattern NODE = Pattern.compile(
            "(?:\\[([^]]+)]|([^:]+))(?::([0-9]{1,5}|_[\\w.-]+))?");

    /** An element of Forwarded; null where it is malformed. */
    static Hop ofForwarded(String element) {
        Map<String, String> values = new HashMap<>();
        Matcher pair = PAIR.matcher(element);
        for (int at = 0; at < element.length(); at = pair.end()) {
            if (!pair.region(at, element.length()).lookingAt()) {
                return null;
            }
            String value = pair.group(2) != null ? pair.group(2) : pair.group(3);
            if (value != null && values.put(pair.group(1).toLowerCase(Locale.ROOT), value) != null) {
                return null;
            }
        }
        return new Hop(node(values.getOrDefault("for", "")), scheme(values.get("proto")), values.get("host"));
    }

    /** An element of X-Forwarded-For. */
    static Hop ofAddress(String element) {
        return new Hop(node(element), null, null);
    }

    /** Null where it is unknown, kept secret or malformed. */
    private static InetSocketAddress node(String text) {
        // IPv6 without brackets is not as section 6 wants it, but what many write.
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
        boolean wrong = address == null || brackets && node.group(1).indexOf(':') < 0;
        return wrong || Integer.parseInt(port) > 65_535 ? null
                : new InetSocketAddress(address, Integer.parseInt(port));
    }

    /** Some proxies tell WebSockets from other requests; null for what is neither. */
    static String scheme(String text) {
        return switch (text == null ? "" : text.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> "http";
            case "https", "wss" -> "https";
            default -> null;
        };
    }
}
