package io.sluice.config.type;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** IP addresses as texts. A name is none: nothing here ever asks a resolver. */
public final class IpLiteral {
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    /** Four numbers without leading zeros, which others take for octal ones. */
    private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    /** Whatever may be one, without a zone, which only its own machine understands. */
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");

    private IpLiteral() {
    }

    /**
     * The address that a text is; null where it is none. An IPv4 address within an IPv6 one,
     * {@code ::ffff:10.0.0.1}, is that IPv4 address.
     */
    public static InetAddress parse(String text) {
        if (!(text.indexOf(':') < 0 ? V4 : V6).matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
