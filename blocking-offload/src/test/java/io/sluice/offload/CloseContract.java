package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.OffloadException.Refused.Reason;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract of closing an offload: running and waiting tasks are cancelled, later ones refused. */
interface CloseContract extends OffloadTestBed {

    @Test
    default void closeCancelsAllTasksAndWaitsForTheWorkers() throws Exception {
        Offload offload = offload(2, 10);
        Thread closer = Thread.currentThread();
        var ended = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Gate gate = gate();
            running.add(submit(offload, scope -> {
                try {
                    return gate.runUntilCancelled(scope);
                } finally {
                    eventually(() -> assertThat(closer.getState())
                            .isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING));
                    ended.incrementAndGet();
                }
            }));
            gate.awaitEntered();
        }
        var waitingRuns = new AtomicInteger();
        Future<?> waiting = submit(offload, _ -> waitingRuns.incrementAndGet());

        offload.close();

        assertThat(ended).as("running work that has ended").hasValue(2);
        for (Future<?> future : running) {
            assertThat(failure(future)).isInstanceOf(CancellationException.class);
        }
        assertThat(failure(waiting)).isInstanceOf(CancellationException.class);
        assertThat(waitingRuns).hasValue(0);
        assertThat(offload.stats().queued()).isZero();
        assertThat(offload.stats().busy()).isZero();
    }

    @Test
    default void tasksAfterTheCloseAreRefused() throws Exception {
        Offload offload = offload(1, 1);
        offload.close();

        Future<?> future = submit(offload, _ -> "never");

        Refused refused = (Refused) failure(future);
        assertThat(refused.reason()).isEqualTo(Reason.CLOSED);
        assertThat(refused.retryAfter()).isPositive();
        assertThat(events().refused).containsExactly(Reason.CLOSED);
        assertThat(events().started).hasValue(0);
    }

    @Test
    default void closingTwiceIsHarmless() throws Exception {
        Offload offload = offload(1, 1);
        result(submit(offload, _ -> "done"));

        offload.close();
        offload.close();

        assertThat(offload.stats().busy()).isZero();
    }

    @Test
    default void noWaitingTaskStartsOnceTheCloseHasBegun() throws Exception {
        Gate gate = gate();
        var self = new CompletableFuture<Offload>();
        var workerIsThrough = new AtomicBoolean();
        Offload offload = offload(pool(1, 10, LONG), new PoolObserver() {
            @Override
            public void cancelled(boolean running) {
                if (workerIsThrough.compareAndSet(false, true)) {
                    gate.open(); // the worker takes its next task while close() runs
                    eventually(() -> assertThat(self.join().stats().busy()).isZero());
                }
            }
        });
        self.complete(offload);
        submit(offload, gate);
        gate.awaitEntered();
        var runs = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            submit(offload, _ -> runs.incrementAndGet());
        }

        offload.close();

        assertThat(workerIsThrough).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    default void workThatMeetsTheCloseHalfwayIsCancelled() throws Exception {
        Offload offload = offload(1, 1);
        var closingHome = (EventExecutor) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {EventExecutor.class}, (_, method, arguments) -> {
                    if (method.getName().equals("schedule")) {
                        offload.close();
                    }
                    return method.invoke(home(), arguments);
                });

        Future<?> future = offload.submit(Deadline.after(LONG), closingHome, _ -> "never");

        assertThat(failure(future)).isInstanceOf(CancellationException.class);
        eventuallyIdle(offload);
    }

    @Test
    default void everyTaskCompletesThatIsSubmittedWhileItCloses() throws Exception {
        for (int round = 0; round < 20; round++) {
            Offload offload = offload(2, 10);
            Queue<Future<?>> tasks = new ConcurrentLinkedQueue<>();
            var submitters = new ArrayList<Thread>();
            for (int i = 0; i < 3; i++) {
                submitters.add(Thread.ofPlatform().start(() -> submitUntilClosed(offload, tasks)));
            }
            eventually(() -> assertThat(tasks).isNotEmpty());

            offload.close();

            for (Thread submitter : submitters) {
                assertThat(submitter.join(PATIENCE)).isTrue();
            }
            for (Future<?> task : tasks) {
                assertThat(task.await(PATIENCE.toMillis())).isTrue();
            }
            assertThat(tasks).filteredOn(CloseContract::isClosed).hasSize(3);
            eventuallyIdle(offload);
        }
    }

    private void submitUntilClosed(Offload offload, Queue<Future<?>> tasks) {
        Future<?> last = null;
        while (last == null || !isClosed(last)) {
            last = submit(offload, _ -> null);
            if (last.isDone() && !isClosed(last)) {
                continue;
            }
            tasks.add(last);
        }
    }

    private static boolean isClosed(Future<?> future) {
        return future.cause() instanceof Refused refused && refused.reason() == Reason.CLOSED;
    }
}
