package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract of pools under submits, cancels and expired deadlines from many threads at once. */
interface StressContract extends OffloadTestBed {

    @Test
    default void underStressEveryTaskEndsOnceAndNothingIsLeft() throws Exception {
        int submitters = 8;
        int tasksEach = 2_000;
        Offload offload = offload(3, 40);
        var tasks = Collections.synchronizedList(new ArrayList<StressedTask>());
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < submitters; i++) {
            var random = new SplittableRandom(i);
            threads.add(Thread.ofPlatform().start(() -> submitAndCancel(offload, tasksEach, tasks, random)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofMinutes(2))).isTrue();
        }
        for (StressedTask task : tasks) {
            assertThat(task.future.await(PATIENCE.toMillis())).as("the future completes").isTrue();
        }
        eventuallyIdle(offload);
        offload.close();

        assertThat(tasks).hasSize(submitters * tasksEach);
        assertThat(tasks).allSatisfy(StressedTask::isConsistent);
        long succeeded = tasks.stream().filter(task -> task.future.isSuccess()).count();
        long refused = count(tasks, Refused.class);
        long ended = count(tasks, DeadlineExceeded.class) + count(tasks, CancellationException.class);
        assertThat(List.of(succeeded, refused, ended)).as("there was some of each").allMatch(n -> n > 0);
        assertThat(succeeded + refused + ended).isEqualTo(tasks.size());
        assertThat(events().refused).hasSize((int) refused);
        eventually(() -> assertThat(events().cancelled()).isEqualTo((int) ended));
        assertThat(events().finished).hasValue(events().started.get());
        assertThat((long) events().started.get()).isBetween(succeeded, succeeded + ended);
    }

    private void submitAndCancel(Offload offload, int count, List<StressedTask> tasks,
                                 SplittableRandom random) {
        for (int i = 0; i < count; i++) {
            var task = new StressedTask(random.nextInt(4));
            Deadline deadline = Deadline.after(Duration.ofNanos(random.nextInt(4_000_000)));
            task.future = offload.submit(deadline, home(), task);
            tasks.add(task);
            LockSupport.parkNanos(random.nextInt(100_000));
            if (random.nextInt(3) == 0) {
                task.future.cancel(false);
            }
        }
    }

    private static long count(List<StressedTask> tasks, Class<? extends Throwable> failure) {
        return tasks.stream().filter(task -> failure.isInstance(task.future.cause())).count();
    }

    /** A task that returns at once, soon, or only when it is cancelled. */
    final class StressedTask implements Work<String> {
        private final int kind;
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger actions = new AtomicInteger();
        private final AtomicInteger actionsTooLate = new AtomicInteger();
        private final AtomicBoolean registrationIsClosed = new AtomicBoolean();
        private Future<String> future;

        StressedTask(int kind) {
            this.kind = kind;
        }

        @Override
        public String run(WorkScope scope) throws InterruptedException {
            runs.incrementAndGet();
            try (var _ = scope.onCancel(this::cancel)) {
                switch (kind) {
                    case 0 -> LockSupport.parkNanos(1_000_000);
                    case 1 -> assertThat(cancelled.await(1, TimeUnit.MINUTES)).isTrue();
                    default -> Thread.onSpinWait();
                }
            }
            registrationIsClosed.set(true);
            return "done";
        }

        private void cancel() {
            actions.incrementAndGet();
            cancelled.countDown();
            Thread.yield();
            if (registrationIsClosed.get()) {
                actionsTooLate.incrementAndGet();
            }
        }

        void isConsistent() {
            assertThat(actionsTooLate).hasValue(0);
            assertThat(runs.get()).isLessThanOrEqualTo(1);
            assertThat(actions.get()).isLessThanOrEqualTo(runs.get());
            if (future.isSuccess()) {
                assertThat(runs).hasValue(1);
                assertThat(actions).hasValue(0);
            } else if (future.cause() instanceof Refused) {
                assertThat(runs).hasValue(0);
            }
            if (kind == 1 && runs.get() == 1) {
                assertThat(actions).hasValue(1);
            }
        }
    }
}
