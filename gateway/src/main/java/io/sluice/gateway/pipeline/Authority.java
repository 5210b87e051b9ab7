package io.sluice.gateway.pipeline;

/** Who a request is for: the value of Host, and the part of an absolute target that means the same. */
final class Authority {
    private static final String REG_NAME_SIGNS = "-._~%!$&'()*+;=";

    private Authority() {
    }

    /**
     * Whether a part of a text is a host that is not empty and perhaps a port (RFC 3986 section 3.2),
     * without userinfo (RFC 9110 section 4.2.4). Takes no comma, which elsewhere separates values.
     */
    static boolean isValid(String text, int from, int to) {
        if (from == to) {
            return false;
        }
        int end = text.charAt(from) == '[' ? literalEnd(text, from + 1, to) : nameEnd(text, from, to);
        return end > from && (end == to || text.charAt(end) == ':' && isPort(text, end + 1, to));
    }

    private static int nameEnd(String text, int from, int to) {
        int at = from;
        while (at < to && (isAlphanumeric(text.charAt(at)) || REG_NAME_SIGNS.indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at;
    }

    /** Behind the bracket that ends an IPv6 address; -1 where there is none. */
    private static int literalEnd(String text, int from, int to) {
        int at = from;
        while (at < to && (Character.digit(text.charAt(at), 16) >= 0 || ":.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at > from && at < to && text.charAt(at) == ']' ? at + 1 : -1;
    }

    private static boolean isPort(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
