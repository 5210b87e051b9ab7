package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;

/** The peer address of a connection: the one in its PROXY header, or else the socket's. */
final class PeerAddress {
    private static final AttributeKey<InetSocketAddress> OF_HEADER = AttributeKey.valueOf("peer-address");

    private PeerAddress() {
    }

    /** Returns the peer address of a connection, or of the connection that a stream's channel belongs to. */
    static InetSocketAddress of(Channel channel) {
        for (Channel at = channel; at != null; at = at.parent()) {
            if (at.hasAttr(OF_HEADER)) {
                return at.attr(OF_HEADER).get();
            }
        }
        return (InetSocketAddress) channel.remoteAddress();
    }

    static void set(Channel channel, InetSocketAddress address) {
        channel.attr(OF_HEADER).set(address);
    }
}
