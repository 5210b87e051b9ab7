package io.sluice.gateway.loop;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.kqueue.KQueueIoHandle;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.uring.IoUringIoHandle;
import java.nio.channels.SelectableChannel;

/**
 * The I/O handle of a channel; its I/O is metered as a task. It implements the interfaces of all transports,
 * and is called through its own transport's only.
 */
@SuppressWarnings("try") // Netty declares that close() may throw anything
record MeteredHandle(IoHandle handle, LoopTaskMeter tasks)
        implements NioIoHandle, EpollIoHandle, KQueueIoHandle, IoUringIoHandle {

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        tasks.begin();
        try {
            handle.handle(registration, event);
        } finally {
            tasks.end();
        }
    }

    @Override
    public void registered() {
        handle.registered();
    }

    @Override
    public void unregistered() {
        handle.unregistered();
    }

    @Override
    public void close() throws Exception {
        handle.close();
    }

    @Override
    public SelectableChannel selectableChannel() {
        return ((NioIoHandle) handle).selectableChannel();
    }

    @Override
    public FileDescriptor fd() {
        return ((EpollIoHandle) handle).fd();
    }

    @Override
    public int ident() {
        return ((KQueueIoHandle) handle).ident();
    }
}
