package io.sluice.config.type;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a DNS server, written {@code 10.0.0.2}, {@code 10.0.0.2:5353} or {@code [fd00::2]:53}.
 *
 * @param port 1..65535
 */
public record NameServer(InetAddress address, int port) {
    public static final String EXPECTED = "an IP address and, if needed, a port, such as 10.0.0.2:53";

    private static final int DNS = 53;
    private static final Pattern PARTS = Pattern.compile("(?:\\[([^]]+)]|([^:]+))(?::([0-9]{1,5}))?");

    /**
     * Reads an address, whose port is 53 if there is none.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static NameServer parse(String text) {
        InetAddress whole = IpLiteral.parse(text);
        if (whole != null) {
            return new NameServer(whole, DNS);
        }
        Matcher parts = PARTS.matcher(text);
        InetAddress address = !parts.matches() ? null
                : IpLiteral.parse(parts.group(1) == null ? parts.group(2) : parts.group(1));
        int port = address == null || parts.group(3) == null ? DNS : Integer.parseInt(parts.group(3));
        if (address == null || port == 0 || port > 65_535) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new NameServer(address, port);
    }

    /** Returns the address of its socket. */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }

    @Override
    public String toString() {
        String host = address.getHostAddress();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
