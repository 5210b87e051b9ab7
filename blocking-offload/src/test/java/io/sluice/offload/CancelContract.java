package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract of cancelled tasks: a waiting task leaves the queue, a running one is told to stop. */
interface CancelContract extends OffloadTestBed {

    @Test
    default void aTaskCancelledInTheQueueGivesUpItsPlaceAndNeverRuns() throws Exception {
        Offload offload = offload(1, 2);
        Gate gate = occupy(offload);
        var runs = new AtomicInteger();
        Future<?> cancelled = submit(offload, _ -> runs.incrementAndGet());
        submit(offload, _ -> null);

        assertThat(cancelled.cancel(false)).isTrue();

        assertThat(offload.stats().queued()).isOne();
        Future<?> next = submit(offload, _ -> "done");
        gate.open();
        assertResult(next, "done");
        assertThat(failure(cancelled)).isInstanceOf(CancellationException.class);
        assertThat(runs).hasValue(0);
        assertThat(events().cancelledInQueue).hasValue(1);
        assertThat(events().cancelledAtWork).hasValue(0);
    }

    @Test
    default void aTaskCancelledOnItsWayToAWorkerNeverRuns() throws Exception {
        var waiting = new CompletableFuture<Future<?>>();
        Offload offload = offload(pool(1, 1, LONG), new PoolObserver() {
            @Override
            public void started(long queuedNanos) {
                if (waiting.isDone()) {
                    waiting.join().cancel(false);
                }
            }
        });
        Gate gate = occupy(offload);
        var runs = new AtomicInteger();
        waiting.complete(submit(offload, _ -> runs.incrementAndGet()));

        gate.open();

        assertThat(failure(waiting.join())).isInstanceOf(CancellationException.class);
        eventuallyIdle(offload);
        assertThat(runs).hasValue(0);
    }

    @Test
    default void cancellingRunningWorkRunsItsActionOnceOnAnotherThread() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = gate();
        var worker = new CompletableFuture<Thread>();
        var actors = new CopyOnWriteArrayList<Thread>();
        Future<?> future = submit(offload, scope -> {
            worker.complete(Thread.currentThread());
            try (var _ = scope.onCancel(() -> {
                actors.add(Thread.currentThread());
                gate.open();
            })) {
                return gate.run(scope);
            }
        });
        gate.awaitEntered();

        assertThat(future.cancel(true)).isTrue();
        assertThat(future.cancel(true)).as("a second time").isFalse();

        assertThat(failure(future)).isInstanceOf(CancellationException.class);
        eventuallyIdle(offload);
        assertThat(actors).hasSize(1).doesNotContain(Thread.currentThread(), worker.get(),
                result(home().submit(Thread::currentThread)));
        assertThat(events().cancelledAtWork).hasValue(1);
        assertThat(events().cancelledInQueue).hasValue(0);
    }

    @Test
    default void anActionThatComesAfterTheCancelRunsAtOnce() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = gate();
        var ran = new CountDownLatch(1);
        Future<?> future = submit(offload, scope -> {
            gate.run(scope);
            try (var _ = scope.onCancel(ran::countDown)) {
                return ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        });
        gate.awaitEntered();

        future.cancel(false);
        gate.open();

        eventuallyIdle(offload);
        assertThat(ran.getCount()).isZero();
    }

    @Test
    default void everyActionThatComesAfterTheCancelRuns() throws Exception {
        Offload offload = offload(1, 0);
        Gate first = gate();
        Gate second = gate();
        Future<?> future = submit(offload, scope -> {
            first.runUntilCancelled(scope);
            return second.runUntilCancelled(scope);
        });
        first.awaitEntered();

        future.cancel(false);

        eventuallyIdle(offload);
        assertThat(second.isEntered()).isTrue();
    }

    @Test
    default void closingARegistrationWaitsForItsRunningAction() throws Exception {
        Offload offload = offload(1, 0);
        var worker = new CompletableFuture<Thread>();
        var actionRuns = new CountDownLatch(1);
        List<String> ends = new CopyOnWriteArrayList<>();
        Future<?> future = submit(offload, scope -> {
            var registration = scope.onCancel(() -> {
                actionRuns.countDown();
                eventually(() -> assertThat(!ends.isEmpty()
                        || worker.getNow(null).getState() == Thread.State.WAITING).isTrue());
                ends.add("action");
            });
            worker.complete(Thread.currentThread());
            while (actionRuns.getCount() > 0) {
                // the state is TIMED_WAITING, since WAITING would look like the wait in close()
                LockSupport.parkNanos(100_000);
            }
            registration.close();
            ends.add("registration");
            return null;
        });
        worker.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        future.cancel(false);

        eventuallyIdle(offload);
        assertThat(ends).containsExactly("action", "registration");
    }

    @Test
    default void noActionRunsOnceItsRegistrationIsClosed() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = gate();
        var runs = new AtomicInteger();
        Future<?> future = submit(offload, scope -> {
            scope.onCancel(runs::incrementAndGet).close();
            return gate.run(scope);
        });
        gate.awaitEntered();

        future.cancel(false);

        await().during(Duration.ofMillis(50)).atMost(PATIENCE).until(() -> runs.get() == 0);
    }

    @Test
    default void cancelOfACompletedTaskDoesNothing() throws Exception {
        Offload offload = offload(1, 0);
        Future<?> future = submit(offload, _ -> "done");
        result(future);

        assertThat(future.cancel(true)).isFalse();

        assertResult(future, "done");
        assertThat(events().cancelled()).isZero();
    }

    @Test
    default void anInterruptDoesNotKeepARegistrationFromWaiting() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = gate();
        Gate action = gate();
        var interrupted = new CompletableFuture<Boolean>();
        Future<?> future = submit(offload, scope -> {
            try (var _ = scope.onCancel(() -> runUnchecked(action))) {
                gate.run(scope);
                Thread.currentThread().interrupt();
            }
            interrupted.complete(Thread.interrupted());
            return null;
        });
        gate.awaitEntered();
        future.cancel(false);
        action.awaitEntered();
        gate.open();
        await().during(Duration.ofMillis(50)).atMost(PATIENCE).until(() -> !interrupted.isDone());

        action.open();

        assertThat(interrupted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void runUnchecked(Gate gate) {
        try {
            gate.run(null);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
