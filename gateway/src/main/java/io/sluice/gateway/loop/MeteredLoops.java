package io.sluice.gateway.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Event loops of one transport, each a {@link MeteredLoop}. */
public final class MeteredLoops extends MultiThreadIoEventLoopGroup {

    /**
     * Creates the loops.
     *
     * @param io the transport. The loops stay on their threads, even if the transport allows them to move: to
     *     move, a loop would have to time all its work
     */
    public MeteredLoops(int threads, ThreadFactory factory, IoHandlerFactory io) {
        super(threads, factory, io);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... unused) {
        return new MeteredLoop(this, executor, io);
    }
}
