package io.sluice.gateway.exchange;

import io.netty.util.NetUtil;
import java.util.HexFormat;

/** The authority of a request: the value of Host, or the same part of an absolute target. */
public final class Authority {
    /** The characters that a name may contain unencoded. */
    private static final boolean[] OF_NAME = new boolean[128];

    static {
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+;=".chars()
                .forEach(c -> OF_NAME[c] = true);
    }

    private Authority() {
    }

    /**
     * Returns whether a part of a text is a non-empty host with an optional port (RFC 3986 section 3.2),
     * without userinfo (RFC 9110 section 4.2.4). Rejects commas, which separate values in other header
     * fields.
     *
     * @param from index of its first character
     * @param to index after its last character
     */
    public static boolean isValid(String text, int from, int to) {
        if (from == to) {
            return false;
        }
        int end = text.charAt(from) == '[' ? literalEnd(text, from + 1, to) : nameEnd(text, from, to);
        return end > from && (end == to || text.charAt(end) == ':' && isPort(text, end + 1, to));
    }

    private static int nameEnd(String text, int from, int to) {
        int at = from;
        while (at < to && (text.charAt(at) < OF_NAME.length && OF_NAME[text.charAt(at)]
                || isEncoded(text, at, to))) {
            at++;
        }
        return at;
    }

    /** Returns whether a valid percent-encoding is at this index. */
    private static boolean isEncoded(String text, int at, int to) {
        return text.charAt(at) == '%' && at + 2 < to && HexFormat.isHexDigit(text.charAt(at + 1))
                && HexFormat.isHexDigit(text.charAt(at + 2));
    }

    /** Returns the index after the bracket that ends an IPv6 address; -1 if there is no valid address. */
    private static int literalEnd(String text, int from, int to) {
        int at = from;
        while (at < to && (HexFormat.isHexDigit(text.charAt(at)) || ":.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at < to && text.charAt(at) == ']' && NetUtil.isValidIpV6Address(text.substring(from, at))
                ? at + 1 : -1;
    }

    private static boolean isPort(String text, int from, int to) {
        int port = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            port = port * 10 + digit;
            if (digit < 0 || digit > 9 || port > 65_535) {
                return false;
            }
        }
        return true;
    }
}
