package io.sluice.gateway.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A port that accepts connections, through one or several listening sockets. */
public final class OpenPort implements AutoCloseable {
    private final List<Channel> channels;

    private OpenPort(List<Channel> channels) {
        this.channels = channels;
    }

    /** Opens a port with a number of listening sockets; blocks until that is done. */
    static OpenPort open(ServerBootstrap bootstrap, InetSocketAddress address, int times) throws Exception {
        var channels = new ArrayList<Channel>(times);
        var listener = new OpenPort(channels);
        try {
            while (channels.size() < times) {
                channels.add(bootstrap.bind(channels.isEmpty() ? address : channels.getFirst().localAddress())
                        .sync().channel());
            }
            return listener;
        } catch (Exception e) {
            listener.close();
            throw e;
        }
    }

    /** Returns the port number; the actual one if any free port was requested. */
    public int port() {
        return ((InetSocketAddress) channels.getFirst().localAddress()).getPort();
    }

    /** Stops accepting connections; blocks until that is done. */
    @Override
    public void close() {
        channels.stream().map(Channel::close).toList().forEach(Future::awaitUninterruptibly);
    }

    /** Blocks until the port is closed. */
    public void awaitClose() {
        channels.forEach(channel -> channel.closeFuture().awaitUninterruptibly());
    }
}
