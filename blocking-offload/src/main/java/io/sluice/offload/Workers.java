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
import java.util.concurrent.TimeUnit;

/**
 * The threads of a pool. Each executor is one worker, to be given one thing at a time; it refuses with a
 * {@link java.util.concurrent.RejectedExecutionException} after closing.
 */
interface Workers extends AutoCloseable {
    long SECONDS_TO_END = 5;

    /** All of them. */
    List<Executor> all();

    /** Returns when what they do has ended, or after some seconds. */
    @Override
    void close();

    /** Starts a pool's workers, whose threads are named after it. */
    static Workers start(String pool, PoolConfig config) {
        String name = "offload-" + pool;
        return switch (config.kind()) {
            case PLATFORM -> new Platform(name, config.workers());
            case VIRTUAL -> new Virtual(name, config.workers());
        };
    }

    /** The executors of a group, a thread each. */
    final class Platform implements Workers {
        private final DefaultEventExecutorGroup group;
        private final List<Executor> all = new ArrayList<>();

        Platform(String name, int count) {
            group = new DefaultEventExecutorGroup(count, new DefaultThreadFactory(name, true));
            for (EventExecutor worker : group) {
                worker.execute(() -> { }); // starts its thread: where there can be none, there is no pool
                all.add(worker);
            }
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

    /** A virtual thread each, for as long as there is something to do. */
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
