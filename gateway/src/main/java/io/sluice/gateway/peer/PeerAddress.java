package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;

/** Who is at the other end of a connection: whom its PROXY header names, or else the socket's peer. */
public final class PeerAddress {
    private static final AttributeKey<InetSocketAddress> OF_HEADER = AttributeKey.valueOf("peer-address");

    private PeerAddress() {
    }

    /** The address of a connection's peer; of a stream's, where the channel is one within a connection. */
    public static InetSocketAddress of(Channel channel) {
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
