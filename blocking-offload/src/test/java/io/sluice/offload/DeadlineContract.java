package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract of deadlines: a task fails when its deadline passes, in the queue or while it runs. */
interface DeadlineContract extends OffloadTestBed {

    @Test
    default void workSeesItsDeadline() throws Exception {
        Deadline deadline = Deadline.after(LONG.minusMinutes(1));

        Future<Deadline> seen = offload(1, 0).submit(deadline, home(), WorkScope::deadline);

        assertResult(seen, deadline);
    }

    @Test
    default void theOffloadsDeadlineShortensThatOfATask() throws Exception {
        Offload offload = offload(pool(1, 0, Duration.ofMillis(100)), events());

        Future<?> future = offload.submit(Deadline.after(LONG), home(), gate());

        assertThat(failure(future)).isInstanceOf(DeadlineExceeded.class);
    }

    @Test
    default void aTaskThatExpiresInTheQueueGivesUpItsPlaceAndNeverRuns() throws Exception {
        Offload offload = offload(1, 1);
        Gate gate = occupy(offload);
        var runs = new AtomicInteger();

        Future<?> expired = submitToExpire(offload, _ -> runs.incrementAndGet());

        assertThat(failure(expired)).isInstanceOf(DeadlineExceeded.class).hasMessageContaining("queue");
        eventually(() -> assertThat(offload.stats().queued()).isZero());
        Future<?> next = submit(offload, _ -> "done");
        gate.open();
        assertResult(next, "done");
        assertThat(runs).hasValue(0);
        eventually(() -> assertThat(events().cancelledInQueue).hasValue(1));
        assertThat(events().cancelledAtWork).hasValue(0);
    }

    @Test
    default void expiredWorkNeverRunsThoughItsHomeIsTooBusyToNotice() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(1, 50, LONG), events(), clock);
        Gate homeIsBusy = gate();
        EventExecutor busyHome = new DefaultEventExecutor();
        busyHome.submit(() -> homeIsBusy.run(null));
        Gate worker = gate();
        offload.submit(Deadline.after(LONG, clock), home(), worker);
        worker.awaitEntered();
        var runs = new AtomicInteger();
        var waiting = new ArrayList<Future<?>>();
        Deadline deadline = Deadline.after(Duration.ofSeconds(1), clock);
        for (int i = 0; i < 50; i++) {
            waiting.add(offload.submit(deadline, busyHome, _ -> runs.incrementAndGet()));
        }
        clock.advanceMillis(1_000);

        worker.open();

        for (Future<?> task : waiting) {
            assertThat(failure(task)).isInstanceOf(DeadlineExceeded.class);
        }
        eventuallyIdle(offload);
        assertThat(runs).hasValue(0);
        assertThat(offload.stats().meanRunTime()).as("of the one that ran")
                .isEqualTo(Duration.ofSeconds(1));
        homeIsBusy.open();
        busyHome.shutdownGracefully();
    }

    @Test
    default void aDeadlineAtWorkEndsTheWaitAtOnceAndTheWorkByItsCancelAction() throws Exception {
        Offload offload = offload(1, 0);
        Overdue overdue = submitUntilItRuns(offload, null);

        assertThat(failure(overdue.future)).isInstanceOf(DeadlineExceeded.class);

        eventuallyIdle(offload);
        assertResult(submit(offload, _ -> "done"), "done");
        assertThat(events().cancelledAtWork).hasPositiveValue();
    }

    @Test
    default void workThatCannotBeEndedKeepsItsWorkerButNotItsCaller() throws Exception {
        Offload offload = offload(1, 0);
        var late = new ResultContract.Counted();
        Overdue overdue = submitUntilItRuns(offload, late);

        assertThat(failure(overdue.future)).isInstanceOf(DeadlineExceeded.class).hasMessageContaining("work");
        assertThat(offload.stats().busy()).isOne();

        overdue.gate.open();
        eventuallyIdle(offload);
        assertThat(late.refCnt()).as("the late result is released").isZero();
    }

    @Test
    default void aTaskWhoseHomeHasShutDownFailsAndCostsNoWorker() throws Exception {
        Offload offload = offload(1, 1);
        EventExecutor gone = new DefaultEventExecutor();
        gone.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();

        Future<?> handedOver = offload.submit(Deadline.after(LONG), gone, _ -> "never");
        assertThat(failure(handedOver)).isInstanceOf(RejectedExecutionException.class);
        eventuallyIdle(offload);

        Gate gate = occupy(offload);
        Future<?> queued = offload.submit(Deadline.after(LONG), gone, _ -> "never");
        assertThat(failure(queued)).isInstanceOf(RejectedExecutionException.class);
        assertThat(offload.stats().queued()).isZero();
        gate.open();
        eventuallyIdle(offload);
        assertResult(submit(offload, _ -> "done"), "done");
    }

    /** Submits a task with the shortest deadline for which the pool does not refuse it. */
    private Future<?> submitToExpire(Offload offload, Work<?> work) {
        for (Duration time = Duration.ofMillis(100);; time = time.multipliedBy(2)) {
            Deadline deadline = Deadline.after(time);
            Future<?> future = offload.submit(deadline, home(), work);
            if (!(future.cause() instanceof Refused refused)) {
                return future;
            }
            assertThat(refused.reason()).isEqualTo(Refused.Reason.TOO_LATE);
        }
    }

    /**
     * Submits a task with the shortest deadline that does not pass before the work runs.
     *
     * @param late the late result of work that ignores its cancellation; null for work that ends when
     * cancelled
     */
    private Overdue submitUntilItRuns(Offload offload, Object late) {
        for (Duration time = Duration.ofMillis(100);; time = time.multipliedBy(2)) {
            Gate gate = gate();
            Future<?> future = offload.submit(Deadline.after(time), home(), scope -> {
                if (late == null) {
                    return gate.runUntilCancelled(scope);
                }
                gate.run(scope);
                return late;
            });
            eventually(() -> assertThat(gate.isEntered() || future.isDone()).isTrue());
            if (gate.isEntered()) {
                return new Overdue(gate, future);
            }
            gate.open();
            eventuallyIdle(offload);
        }
    }

    /** Work that has begun and does not end before its deadline. */
    record Overdue(Gate gate, Future<?> future) {
    }
}
