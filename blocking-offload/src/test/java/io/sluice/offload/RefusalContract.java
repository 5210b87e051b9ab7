package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.OffloadException.Refused.Reason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract of refusals: full queues, and deadlines that cannot be met. */
interface RefusalContract extends OffloadTestBed {

    @Test
    default void exactlyAsManyTasksWaitAsTheQueueHolds() throws Exception {
        Offload offload = offload(2, 3);
        Gate first = occupy(offload);
        occupy(offload);
        Gate waiting = gate();
        for (int i = 0; i < 3; i++) {
            assertThat(submit(offload, waiting).isDone()).isFalse();
        }

        assertRefused(submit(offload, _ -> "never"), Reason.QUEUE_FULL);

        first.open();
        waiting.awaitEntered();
        Future<String> third = submit(offload, _ -> "done");
        assertRefused(submit(offload, _ -> "never"), Reason.QUEUE_FULL);
        waiting.open();
        assertResult(third, "done");
        assertThat(events().refused).containsExactly(Reason.QUEUE_FULL, Reason.QUEUE_FULL);
    }

    @Test
    default void withoutAQueueATaskIsTakenWhileAWorkerIsFree() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = occupy(offload);

        assertRefused(submit(offload, _ -> "never"), Reason.QUEUE_FULL);

        gate.open();
        eventuallyIdle(offload);
        assertResult(submit(offload, _ -> "done"), "done");
    }

    @Test
    default void refusedWorkNeverRuns() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = occupy(offload);
        var runs = new AtomicInteger();

        Future<?> refused = submit(offload, _ -> runs.incrementAndGet());

        assertThat(refused.isDone()).as("refused at once").isTrue();
        assertThat(refused.cancel(false)).isFalse();
        gate.open();
        eventuallyIdle(offload);
        assertThat(runs).hasValue(0);
        assertThat(events().started).hasValue(1);
        assertThat(events().cancelled()).isZero();
    }

    @Test
    default void aTaskWhoseTurnWouldComeAfterItsDeadlineIsRefused() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(2, 100, LONG), events(), clock);
        result(offload.submit(Deadline.after(LONG, clock), home(), _ -> {
            clock.advanceMillis(50);
            return null;
        }));
        eventuallyIdle(offload);
        Gate first = gate();
        Gate second = gate();
        offload.submit(Deadline.after(LONG, clock), home(), first);
        offload.submit(Deadline.after(LONG, clock), home(), second);
        for (int i = 0; i < 40; i++) {
            offload.submit(Deadline.after(LONG, clock), home(), _ -> null);
        }
        Duration expectedWait = Duration.ofSeconds(1);

        Future<?> tooLate = offload.submit(Deadline.after(expectedWait, clock), home(), _ -> "never");
        Future<?> inTime = offload.submit(Deadline.after(expectedWait.multipliedBy(2), clock), home(),
                _ -> "done");

        Refused refused = assertRefused(tooLate, Reason.TOO_LATE);
        assertThat(refused.retryAfter()).isGreaterThanOrEqualTo(expectedWait);
        first.open();
        second.open();
        assertResult(inTime, "done");
        assertThat(events().refused).containsExactly(Reason.TOO_LATE);
    }

    @Test
    default void aTaskThatFindsAFreeWorkerIsTakenHoweverShortItsDeadline() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(1, 10, LONG), events(), clock);
        result(offload.submit(Deadline.after(LONG, clock), home(), _ -> {
            clock.advanceMillis(50);
            return null;
        }));
        eventuallyIdle(offload);

        Future<?> hasty = offload.submit(Deadline.after(Duration.ZERO, clock), home(), _ -> "never");

        assertThat(failure(hasty)).isInstanceOf(DeadlineExceeded.class);
        assertThat(events().refused).isEmpty();
    }

    default Refused assertRefused(Future<?> future, Reason reason) throws InterruptedException {
        assertThat(failure(future)).asInstanceOf(type(Refused.class))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(reason))
                .satisfies(refused -> assertThat(refused.retryAfter()).isPositive());
        return (Refused) future.cause();
    }
}
