package io.sluice.config.type;

import java.net.InetAddress;

/**
 * An IP network in CIDR notation, such as {@code 10.0.0.0/8} or {@code fd00::/8}, or a single address.
 *
 * @param prefix the length of the prefix in bits
 */
public record Network(InetAddress address, int prefix) {
    public static final String EXPECTED = "an address or a network, such as 10.0.0.0/8 or fd00::/8";

    /**
     * Reads a network.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = IpLiteral.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException(EXPECTED);
        }
        int bits = address.getAddress().length * 8;
        if (slash < 0) {
            return new Network(address, bits);
        }
        String prefix = text.substring(slash + 1);
        if (!prefix.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(prefix) > bits) {
            throw new IllegalArgumentException(EXPECTED + "; behind the slash 0.." + bits);
        }
        var network = new Network(address, Integer.parseInt(prefix));
        for (int bit = network.prefix; bit < bits; bit++) {
            if (bit(address.getAddress(), bit) != 0) {
                throw new IllegalArgumentException(EXPECTED + "; no bits behind the first " + prefix);
            }
        }
        return network;
    }

    private static int bit(byte[] bytes, int index) {
        return bytes[index / 8] >> 7 - index % 8 & 1;
    }

    /** Returns whether an address is in the network. */
    public boolean contains(InetAddress other) {
        byte[] these = address.getAddress();
        byte[] those = other.getAddress();
        if (these.length != those.length) {
            return false;
        }
        int whole = prefix / 8;
        for (int i = 0; i < whole; i++) {
            if (these[i] != those[i]) {
                return false;
            }
        }
        int shift = 8 - prefix % 8;
        return shift == 8 || (these[whole] & 0xFF) >> shift == (those[whole] & 0xFF) >> shift;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + '/' + prefix;
    }
}
