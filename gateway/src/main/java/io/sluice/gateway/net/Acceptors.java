package io.sluice.gateway.net;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;

/**
 * The event loops and the gate behind one port.
 *
 * @param boss accepts connections
 * @param workers serve them
 * @param gate sharable handler of accepted connections on the listener's pipeline; passes on those that are
 *     admitted
 * @param shared whether the port is opened once per boss thread, and may be opened by other processes too;
 *     ignored unless the kernel spreads connections over such sockets
 */
public record Acceptors(EventLoopGroup boss, EventLoopGroup workers, ChannelHandler gate, boolean shared) {

    /** Returns those of a port that admits all connections and is not shared. */
    public static Acceptors plain(EventLoopGroup boss, EventLoopGroup workers) {
        return new Acceptors(boss, workers, new OpenGate(), false);
    }

    /** Admits all connections. */
    @Sharable
    private static final class OpenGate extends ChannelInboundHandlerAdapter {
    }
}
