package io.sluice.gateway.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Event loops of one transport, each a {@link MeteredLoop}. */
public final class MeteredLoops extends MultiThreadIoEventLoopGroup {

    /**
     * So many loops.
     *
     * @param io the transport. Its loops stay on their threads, whatever it says of that: what moves to
     *     other threads has to time all that it does
     */
    public MeteredLoops(int threads, ThreadFactory factory, IoHandlerFactory io) {
        super(threads, factory, io);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... unused) {
        return new MeteredLoop(this, executor, io);
    }
}
