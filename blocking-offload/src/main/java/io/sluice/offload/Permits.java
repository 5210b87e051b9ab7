package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;

/** TEMPORARY: unlimited permits. */
public interface Permits extends AutoCloseable {

    static Permits unlimited() {
        return new Permits() {
            @Override
            public Acquisition acquire(ClientNetwork client, Deadline deadline, EventExecutor home,
                                       Waiter waiter) {
                var granted = new Acquisition() {
                    @Override
                    public void release() {
                    }

                    @Override
                    public void cancel() {
                    }
                };
                waiter.granted(granted);
                return granted;
            }

            @Override
            public OffloadStats stats() {
                return null;
            }

            @Override
            public void close() {
            }
        };
    }

    Acquisition acquire(ClientNetwork client, Deadline deadline, EventExecutor home, Waiter waiter);

    OffloadStats stats();

    @Override
    void close();

    /** Waits. */
    interface Waiter {
        void granted(Acquisition permit);

        void refused(OffloadException reason);
    }

    /** Acquired. */
    interface Acquisition {
        void release();

        void cancel();
    }
}
