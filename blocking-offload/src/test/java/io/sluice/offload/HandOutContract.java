package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.offload.OffloadException.Refused.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of handing tasks to workers: order, concurrency, and the events that observers get. */
interface HandOutContract extends OffloadTestBed {

    @Test
    default void noTaskWaitsBehindABlockedOneWhileAnotherWorkerIsFree() throws Exception {
        Offload offload = offload(3, 1000);
        Gate blocked = gate();
        Future<String> slow = submit(offload, blocked);
        var others = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 1000; i++) {
            int number = i;
            others.add(submit(offload, _ -> number));
        }

        for (int i = 0; i < 1000; i++) {
            assertResult(others.get(i), i);
        }
        assertThat(slow.isDone()).isFalse();
        blocked.open();
        assertResult(slow, "opened");
    }

    @Test
    default void waitingTasksRunInTheOrderInWhichTheyCame() throws Exception {
        Offload offload = offload(1, 100);
        Gate gate = occupy(offload);
        var order = new CopyOnWriteArrayList<Integer>();
        Future<?> last = null;
        for (int i = 0; i < 100; i++) {
            int number = i;
            last = submit(offload, _ -> order.add(number));
        }

        gate.open();
        result(last);

        assertThat(order).containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    default void asManyTasksRunAtOnceAsThereAreWorkersAndNeverMore() throws Exception {
        int workers = 4;
        Offload offload = offload(workers, 400);
        var everyWorker = new CyclicBarrier(workers);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var tasks = new ArrayList<Future<?>>();
        for (int i = 0; i < 100 * workers; i++) {
            tasks.add(submit(offload, _ -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                int arrival = everyWorker.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                running.decrementAndGet();
                return arrival;
            }));
        }

        for (Future<?> task : tasks) {
            result(task);
        }
        assertThat(most).hasValue(workers);
    }

    @Test
    default void statsTellWhatRunsAndWhatWaits() throws Exception {
        Offload offload = offload(2, 10);
        assertStats(offload, 2, 0, 0);
        assertThat(offload.stats().arrivals()).isZero();
        assertThat(offload.stats().meanBusy()).isZero();
        assertThat(offload.stats().meanRunTime()).isZero();
        assertThat(offload.stats().capacity()).isZero();
        Gate first = occupy(offload);
        Gate second = occupy(offload);
        Future<?> waiting = submit(offload, _ -> null);
        submit(offload, _ -> null);

        assertStats(offload, 2, 2, 2);

        first.open();
        second.open();
        result(waiting);
        eventuallyIdle(offload);
        OffloadStats stats = offload.stats();
        assertThat(stats.workers()).isEqualTo(2);
        assertThat(stats.meanRunTime()).isPositive();
        assertThat(stats.capacity()).isCloseTo(2e9 / stats.meanRunTime().toNanos(), within(1e-6));
        assertThat(stats.arrivals()).isPositive();
        assertThat(stats.meanBusy()).isBetween(0.0, 2.0).isPositive();
    }

    private static void assertStats(Offload offload, int workers, int busy, int queued) {
        OffloadStats stats = offload.stats();
        assertThat(List.of(stats.workers(), stats.busy(), stats.queued())).as("workers, busy, queued")
                .containsExactly(workers, busy, queued);
    }

    @Test
    default void theMeanRunTimeIsThatOfTheWork() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(1, 0, LONG), events(), clock);

        result(offload.submit(Deadline.after(LONG, clock), home(), _ -> {
            clock.advanceMillis(20);
            return null;
        }));

        eventuallyIdle(offload);
        assertThat(offload.stats().meanRunTime()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    default void theListenerIsToldOfEveryTaskOnce() throws Exception {
        Offload offload = offload(2, 2);
        Gate first = occupy(offload);
        Gate second = occupy(offload);
        Future<?> done = submit(offload, _ -> "done");
        Future<?> cancelled = submit(offload, _ -> "never");
        submit(offload, _ -> "refused");

        cancelled.cancel(false);
        first.open();
        second.open();
        result(done);
        eventuallyIdle(offload);

        assertThat(events().started).hasValue(3);
        assertThat(events().finished).hasValue(3);
        assertThat(events().cancelledInQueue).hasValue(1);
        assertThat(events().cancelledAtWork).hasValue(0);
        assertThat(events().refused).containsExactly(Reason.QUEUE_FULL);
    }

    @Test
    default void theListenerIsToldHowLongTasksWaitedAndRan() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        List<Long> waited = new CopyOnWriteArrayList<>();
        List<Long> ran = new CopyOnWriteArrayList<>();
        Offload offload = offload(pool(1, 1, LONG), new PoolObserver() {
            @Override
            public void started(long queuedNanos) {
                waited.add(queuedNanos);
            }

            @Override
            public void finished(long ranNanos) {
                ran.add(ranNanos);
            }
        }, clock);
        Gate gate = gate();
        offload.submit(Deadline.after(LONG, clock), home(), gate);
        gate.awaitEntered();
        clock.advanceMillis(5);
        Future<?> waiting = offload.submit(Deadline.after(LONG, clock), home(), _ -> null);
        clock.advanceMillis(10);
        gate.open();
        result(waiting);
        eventuallyIdle(offload);

        assertThat(waited).containsExactly(0L, 10_000_000L);
        assertThat(ran).containsExactly(15_000_000L, 0L);
    }

    @Test
    default void aListenerThatThrowsCostsNeitherAWorkerNorAResult() throws Exception {
        Offload offload = offload(pool(1, 1, LONG), new PoolObserver() {
            @Override
            public void refused(Reason reason) {
                throw new IllegalStateException("thrown by the listener");
            }

            @Override
            public void started(long queuedNanos) {
                throw new IllegalStateException("thrown by the listener");
            }

            @Override
            public void finished(long ranNanos) {
                throw new IllegalStateException("thrown by the listener");
            }

            @Override
            public void cancelled(boolean running) {
                throw new IllegalStateException("thrown by the listener");
            }
        });
        Gate gate = gate();
        Future<String> running = submit(offload, gate::runUntilCancelled);
        gate.awaitEntered();
        Future<String> waiting = submit(offload, _ -> "done");

        assertThat(failure(submit(offload, _ -> "refused"))).isInstanceOf(OffloadException.Refused.class);
        running.cancel(false);

        assertResult(waiting, "done");
        eventuallyIdle(offload);
    }
}
