package io.sluice.loadtest.experiments.driver;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The kind of sockets. */
record Transport(IoHandlerFactory handler, Class<? extends SocketChannel> channel) {

    /** Epoll where there is one: NIO's timers are up to 1 ms late, more than a fast answer takes. */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(EpollIoHandler.newFactory(), EpollSocketChannel.class)
                : new Transport(NioIoHandler.newFactory(), NioSocketChannel.class);
    }

    /** Whether sockets have the options that NIO has no names for. */
    boolean hasOptionsOfUnix() {
        return channel == EpollSocketChannel.class;
    }
}
