package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The peer address of a connection: the one in its PROXY header, or else the socket's. */
final class PeerAddress {
    private static final AttributeKey<InetSocketAddress> OF_HEADER = AttributeKey.valueOf("peer-address");

    private PeerAddress() {
    }

    /** Returns the peer address of a connection, or of the connection that a stream's channel belongs to. */
    static InetSocketAddress of(Channel channel) {
        InetSocketAddress ofHeader = ofHeader(channel);
        return ofHeader == null ? (InetSocketAddress) channel.remoteAddress() : ofHeader;
    }

    /** Returns whether the connection has begun with a PROXY header. */
    static boolean hasHeader(Channel channel) {
        return ofHeader(channel) != null;
    }

    private static @Nullable InetSocketAddress ofHeader(Channel channel) {
        for (Channel at = channel; at != null; at = at.parent()) {
            if (at.hasAttr(OF_HEADER)) {
                return at.attr(OF_HEADER).get();
            }
        }
        return null;
    }

    /** Sets the address in a PROXY header, or that of the socket if the header carries none. */
    static void set(Channel channel, InetSocketAddress address) {
        channel.attr(OF_HEADER).set(address);
    }
}
