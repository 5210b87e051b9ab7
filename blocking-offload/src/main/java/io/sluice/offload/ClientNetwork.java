package io.sluice.offload;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The identity of a client in limits: an IPv4 address, or an IPv6 network of 64 bits, since the holder of an
 * IPv6 address has all 2^64 of its network (RFC 6177).
 *
 * @param bits the address or the network
 * @param v6 whether it is IPv6
 */
public record ClientNetwork(long bits, boolean v6) {

    /** Returns the network of an address. */
    public static ClientNetwork of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ? new ClientNetwork(bytes.getInt(), false)
                : new ClientNetwork(bytes.getLong(), true);
    }
}
