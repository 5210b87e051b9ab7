package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract of pools under many tasks from many threads, which makes races of one in 100,000 show. */
interface MillionTasksContract extends OffloadTestBed {
    /**
     * The tasks of a submitter. Four submitters, one or four workers and two kinds of pool make 1.2 million.
     */
    int TASKS_EACH = 75_000;

    @Test
    default void noneIsLostOrDoubledOrOvertakenWithOneWorker() throws Exception {
        submitAll(1);
    }

    @Test
    default void noneIsLostOrDoubledWithManyWorkers() throws Exception {
        submitAll(4);
    }

    private void submitAll(int workers) throws Exception {
        Offload offload = offload(workers, 500);
        var submitters = new ArrayList<Submitter>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            var submitter = new Submitter(new SplittableRandom(i), workers == 1);
            submitters.add(submitter);
            threads.add(Thread.ofPlatform().start(() -> submitter.submitAll(offload, this)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofMinutes(2))).isTrue();
        }
        for (Submitter submitter : submitters) {
            eventually(() -> assertThat(submitter.endings).hasValue(TASKS_EACH));
        }
        eventuallyIdle(offload);

        assertThat(submitters).allSatisfy(submitter -> assertThat(submitter.faults()).isEmpty());
        assertThat(submitters.stream().mapToInt(submitter -> submitter.succeeded.get()).sum())
                .as("most were done").isGreaterThan(TASKS_EACH * 2);
    }

    /** A thread that submits tasks, which are told apart by their number. */
    final class Submitter {
        private final SplittableRandom random;
        private final boolean ordered;
        private final byte[] runs = new byte[TASKS_EACH];
        private final byte[] ends = new byte[TASKS_EACH];
        private final boolean[] done = new boolean[TASKS_EACH];
        private final AtomicInteger endings = new AtomicInteger();
        private final AtomicInteger succeeded = new AtomicInteger();
        private final List<String> faults = new ArrayList<>();
        private int lastRun = -1;

        Submitter(SplittableRandom random, boolean ordered) {
            this.random = random;
            this.ordered = ordered;
        }

        void submitAll(Offload offload, OffloadTestBed bed) {
            for (int i = 0; i < TASKS_EACH; i++) {
                int number = i;
                Deadline deadline = Deadline.after(Duration.ofMillis(1 + random.nextInt(2_000)));
                Future<Integer> future = offload.submit(deadline, bed.home(), _ -> run(number));
                future.addListener(_ -> ended(number, future));
                int chance = random.nextInt(50);
                if (chance == 0) {
                    future.cancel(false);
                }
                if (future.cause() instanceof Refused) {
                    LockSupport.parkNanos(20_000);
                }
            }
        }

        private synchronized int run(int number) {
            runs[number]++;
            if (ordered && number <= lastRun) {
                faults.add(number + " ran after " + lastRun);
            }
            lastRun = number;
            return number;
        }

        private synchronized void ended(int number, Future<Integer> future) {
            ends[number]++;
            endings.incrementAndGet();
            if (future.isSuccess()) {
                done[number] = true;
                succeeded.incrementAndGet();
                if (future.getNow() != number) {
                    faults.add(number + " got the result of " + future.getNow());
                }
            } else if (future.cause() instanceof Refused && runs[number] > 0) {
                faults.add(number + " was refused and ran");
            }
        }

        synchronized List<String> faults() {
            for (int i = 0; i < TASKS_EACH; i++) {
                if (ends[i] != 1 || runs[i] > 1 || done[i] && runs[i] != 1) {
                    faults.add("%d ended %d times and ran %d times".formatted(i, ends[i], runs[i]));
                }
            }
            return faults;
        }
    }
}
