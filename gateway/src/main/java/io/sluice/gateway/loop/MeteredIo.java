package io.sluice.gateway.loop;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** The I/O handler of an event loop, which meters the I/O of each channel as a separate task. */
record MeteredIo(IoHandler io, LoopTaskMeter tasks) implements IoHandler {

    @Override
    public int run(IoHandlerContext context) {
        tasks.pause();
        return io.run(context);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return io.register(new MeteredHandle(handle, tasks));
    }

    @Override
    public void initialize() {
        tasks.attach();
        io.initialize();
    }

    @Override
    public void prepareToDestroy() {
        io.prepareToDestroy();
    }

    @Override
    public void destroy() {
        io.destroy();
    }

    @Override
    public void wakeup() {
        io.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return io.isCompatible(handleType);
    }
}
