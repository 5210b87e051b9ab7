package io.sluice.handlers.upstream.names;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;

/** The factories of UDP and TCP channels for the event loops of a transport. */
public record ChannelFactories(ChannelFactory<? extends DatagramChannel> datagrams,
                      ChannelFactory<? extends SocketChannel> streams) {
}
