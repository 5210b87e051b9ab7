package io.sluice.config.type;

import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses IP addresses. Host names are not accepted, and nothing is resolved. */
public final class IpLiteral {
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    /** Four numbers without leading zeros, which other programs take for octal. */
    private static final Pattern V4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    /** A superset of IPv6 addresses, without a zone, which only its own machine knows. */
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");

    private IpLiteral() {
    }

    /**
     * Returns the address, or null if the text is none. An IPv4-mapped IPv6 address, {@code ::ffff:10.0.0.1},
     * is returned as that IPv4 address.
     */
    public static @Nullable InetAddress parse(String text) {
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
