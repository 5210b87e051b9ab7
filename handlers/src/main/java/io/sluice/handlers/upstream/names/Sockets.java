package io.sluice.handlers.upstream.names;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;

/** Create channels that fit an event loop. */
public record Sockets(ChannelFactory<? extends DatagramChannel> datagrams,
                      ChannelFactory<? extends SocketChannel> streams) {
}
