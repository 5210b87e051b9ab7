package io.sluice.handlers.upstream.names;

import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;

/** Classes of channels that fit an event loop. */
public record Sockets(Class<? extends DatagramChannel> datagrams, Class<? extends SocketChannel> streams) {
}
