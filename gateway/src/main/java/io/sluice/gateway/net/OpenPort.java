package io.sluice.gateway.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A port that is open for connections, once or several times. */
public final class OpenPort implements AutoCloseable {
    private final List<Channel> channels;

    private OpenPort(List<Channel> channels) {
        this.channels = channels;
    }

    /** Opens a port so many times; blocks until that is done. */
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

    /** The port, also where any free one was asked for. */
    public int port() {
        return ((InetSocketAddress) channels.getFirst().localAddress()).getPort();
    }

    /** Takes no new connections; blocks until that is so. */
    @Override
    public void close() {
        channels.stream().map(Channel::close).toList().forEach(Future::awaitUninterruptibly);
    }

    /** Blocks until it has been closed. */
    public void awaitClose() {
        channels.forEach(channel -> channel.closeFuture().awaitUninterruptibly());
    }
}
