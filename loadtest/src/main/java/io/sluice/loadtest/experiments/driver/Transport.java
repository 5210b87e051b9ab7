package io.sluice.loadtest.experiments.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The Netty transport of the driver. */
record Transport(IoHandlerFactory handler, Class<? extends SocketChannel> channel) {

    /**
     * Epoll if it is available: NIO's timers are up to 1 ms late, which is more than a fast response takes.
     */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(EpollIoHandler.newFactory(), EpollSocketChannel.class)
                : new Transport(NioIoHandler.newFactory(), NioSocketChannel.class);
    }

    /** Lets connections from a chosen address use ports that closed ones to other servers had. */
    void sharePorts(Bootstrap bootstrap) {
        if (hasOptionsOfUnix()) {
            bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
        }
    }

    /** Returns whether sockets have the Unix options, which NIO does not offer. */
    boolean hasOptionsOfUnix() {
        return channel == EpollSocketChannel.class;
    }
}
