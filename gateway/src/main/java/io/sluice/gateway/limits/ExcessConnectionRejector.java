package io.sluice.gateway.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.sluice.gateway.limits.ConnectionLimits.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Closes connections that are too many as soon as they are accepted, on the listener's event loop: before
 * they have cost anything, and so that whoever balances load learns of it and can go elsewhere. Not to
 * accept them would keep them waiting among those that may come; an answer would need their protocol.
 */
@Sharable
public final class ExcessConnectionRejector extends ChannelInboundHandlerAdapter {
    private final ConnectionLimits limits;
    private final boolean addressFollows;

    /**
     * For a listener.
     *
     * @param addressFollows whether a connection itself says whose it is: it is counted for that then
     */
    public ExcessConnectionRejector(ConnectionLimits limits, boolean addressFollows) {
        this.limits = limits;
        this.addressFollows = addressFollows;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var connection = (Channel) message;
        InetAddress address = ((InetSocketAddress) connection.remoteAddress()).getAddress();
        Reason reason = limits.admit(connection, addressFollows ? null : address);
        if (reason == null) {
            context.fireChannelRead(message);
        } else {
            reset(connection);
            limits.turnedAway(address, reason);
        }
    }

    /** Leaves nothing behind, not even a socket that waits for the last packets. */
    private static void reset(Channel connection) {
        try {
            connection.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            // It is gone already.
        }
        connection.unsafe().closeForcibly();
    }
}
