package io.sluice.offload;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.PoolConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a pool. Each executor is one worker and gets one task at a time; after closing it throws
 * {@link java.util.concurrent.RejectedExecutionException}.
 */
interface Workers extends AutoCloseable {
    long SECONDS_TO_END = 5;

    /** Returns one executor for each worker. */
    List<Executor> all();

    /** Blocks until the running tasks have ended, {@link #SECONDS_TO_END} at most. */
    @Override
    void close();

    /** Starts the workers of a pool, with threads named after it. */
    static Workers start(String pool, PoolConfig config) {
        String name = "offload-" + pool;
        return switch (config.kind()) {
            case PLATFORM -> new Platform(new DefaultThreadFactory(name, true), config.workers());
            case VIRTUAL -> new Virtual(name, config.workers());
        };
    }

    /** Platform threads: a group with one thread for each executor. */
    final class Platform implements Workers {
        private final DefaultEventExecutorGroup group;
        private final List<Executor> all = new ArrayList<>();

        Platform(ThreadFactory factory, int count) {
            group = new DefaultEventExecutorGroup(count, factory);
            try {
                for (EventExecutor worker : group) {
                    worker.execute(() -> { }); // starts its thread; fails here if none can be started
                    all.add(worker);
                }
            } catch (Throwable e) {
                all.forEach(Platform::end); // otherwise those threads would wait for ever
                throw e;
            }
        }

        private static void end(Executor worker) {
            ((EventExecutor) worker).shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }

        @Override
        public List<Executor> all() {
            return all;
        }

        @Override
        public void close() {
            group.shutdownGracefully(0, SECONDS_TO_END, TimeUnit.SECONDS)
                    .awaitUninterruptibly(SECONDS_TO_END, TimeUnit.SECONDS);
        }
    }

    /** Virtual threads: one for each busy worker, as long as it has tasks. */
    final class Virtual implements Workers {
        private final ExecutorService threads;
        private final List<Executor> all;

        Virtual(String name, int count) {
            threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + '-', 1).factory());
            all = Collections.nCopies(count, threads);
        }

        @Override
        public List<Executor> all() {
            return all;
        }

        @Override
        public void close() {
            threads.shutdown();
            try {
                threads.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
