package io.sluice.gateway.loop;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/** An event loop that meters its tasks; made by {@link MeteredLoops}. */
public final class MeteredLoop extends SingleThreadIoEventLoop {
    private final LoopTaskMeter tasks;

    MeteredLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory io) {
        this(parent, executor, io, new LoopTaskMeter());
    }

    private MeteredLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory io,
                        LoopTaskMeter tasks) {
        super(parent, executor, loop -> new MeteredIo(io.newHandler(loop), tasks));
        this.tasks = tasks;
    }

    /** Returns the meter of this loop. */
    public LoopTaskMeter tasks() {
        return tasks;
    }

    /** Netty calls this before each task, and once more when no task is left. */
    @Override
    protected Runnable pollTask() {
        tasks.end();
        Runnable task = super.pollTask();
        if (task != null) {
            tasks.begin();
        }
        return task;
    }

    @Override
    protected void afterRunningAllTasks() {
        tasks.end();
        super.afterRunningAllTasks();
    }
}
