package io.sluice.handlers.query;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.handlers.TestScope;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadStats;
import io.sluice.offload.Work;

/** A pool for tests on one thread: {@code submit} runs the work before it returns. */
final class InlineOffload implements Offload {

    @Override
    public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home, Work<T> work) {
        Promise<T> result = home.newPromise();
        try {
            result.setSuccess(work.run(new TestScope(deadline, () -> false)));
        } catch (Exception e) {
            result.setFailure(e);
        }
        return result;
    }

    @Override
    public OffloadStats stats() {
        throw new UnsupportedOperationException("stats");
    }

    @Override
    public void close() {
        // there are no threads to end
    }
}
