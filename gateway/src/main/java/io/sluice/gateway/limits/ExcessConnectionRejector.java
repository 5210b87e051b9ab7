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
 * Resets connections beyond the {@link ConnectionLimits} as soon as they are accepted, on the listener's
 * event loop. That costs next to nothing, and a load balancer notices it and can choose another server. Not
 * to accept them would keep them waiting in the backlog together with those that could be admitted; an error
 * response would require their protocol.
 */
@Sharable
public final class ExcessConnectionRejector extends ChannelInboundHandlerAdapter {
    private final ConnectionLimits limits;
    private final boolean addressFollows;

    /**
     * The rejector of a listener.
     *
     * @param addressFollows whether the client's address follows in a PROXY header; it is counted only then
     */
    public ExcessConnectionRejector(ConnectionLimits limits, boolean addressFollows) {
        this.limits = limits;
        this.addressFollows = addressFollows;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var connection = (Channel) message;
        if (!(connection.remoteAddress() instanceof InetSocketAddress from)) {
            connection.unsafe().closeForcibly(); // reset before io_uring could ask for its address
            return;
        }
        InetAddress address = from.getAddress();
        Reason reason = limits.admit(connection, addressFollows ? null : address);
        if (reason == null) {
            context.fireChannelRead(message);
        } else {
            reset(connection);
            limits.recordRejection(address, reason);
        }
    }

    /** Resets the connection, which leaves no socket in TIME_WAIT. */
    private static void reset(Channel connection) {
        try {
            connection.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            // It is closed already.
        }
        connection.unsafe().closeForcibly();
    }
}
