package io.sluice.gateway.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopTaskMeterTest {
    /**
     * The wall clock and the thread's CPU clock in microseconds, and the number of readings of the latter.
     */
    private long wall = 1_000_000;
    private long cpu;
    private int readings;
    private final LoopTaskMeter tasks = new LoopTaskMeter(() -> TimeUnit.MICROSECONDS.toNanos(wall), () -> {
        readings++;
        return TimeUnit.MICROSECONDS.toNanos(cpu);
    });
    private final List<LoopTask> told = new ArrayList<>();

    @BeforeEach
    void listen() {
        tasks.onLong(told::add);
    }

    /**
     * Runs a task after the loop has waited for I/O. The task computes and waits for so many microseconds.
     */
    private void task(long computing, long waiting) {
        tasks.pause();
        tasks.begin();
        pass(computing, waiting);
        tasks.end();
    }

    private void pass(long computing, long waiting) {
        wall += computing + waiting;
        cpu += computing;
    }

    private List<Long> counts() {
        return IntStream.rangeClosed(0, LoopTaskMeter.bounds().length).mapToObj(tasks::count).toList();
    }

    @Test
    void roundLastsFromItsFirstTaskToTheNextWait() {
        task(100, 0);
        pass(0, 50);
        tasks.begin();
        pass(200, 0);
        assertThat(tasks.roundNanos()).isEqualTo(350_000);
        tasks.end();
        tasks.pause();
        pass(0, 5_000);
        tasks.begin();
        pass(10, 0);
        assertThat(tasks.roundNanos()).isEqualTo(10_000);
    }

    @Test
    void countsTasksByTheirCpuTime() {
        task(100, 0);
        task(5_001, 0);
        task(1_500, 40_000);
        task(20_000_000, 0);

        assertThat(counts()).containsExactly(1L, 1L, 0L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);
        assertThat(tasks.seconds()).isEqualTo(20.006601);
        assertThat(told).extracting(LoopTask::cpu).containsExactly(Duration.ofNanos(5_001_000),
                Duration.ofNanos(1_500_000), Duration.ofSeconds(20));
        assertThat(told.get(1).wall()).isEqualTo(Duration.ofNanos(41_500_000));
    }

    /** The thread's CPU clock is not read for short tasks, since that is a system call. */
    @Test
    void doesNotReadTheThreadsClockForEachShortTask() {
        for (int i = 0; i < 100; i++) {
            task(10, 0);
        }
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void takesAtMostHalfAMillisecondTooMuch() {
        task(10, 0);
        task(490, 0);
        task(2_000, 10_000);

        assertThat(told).singleElement().extracting(LoopTask::cpu).isEqualTo(Duration.ofNanos(2_500_000));
    }

    /** The wall clock is read once between consecutive tasks. */
    @Test
    void timesTasksThatFollowEachOther() {
        tasks.pause();
        tasks.begin();
        pass(2_000, 0);
        tasks.end();
        tasks.pause();
        pass(0, 3_000);
        tasks.begin();
        pass(400, 0);
        tasks.end();
        tasks.begin();
        pass(4_000, 0);
        tasks.end();

        assertThat(told).extracting(LoopTask::wall)
                .containsExactly(Duration.ofMillis(2), Duration.ofMillis(4));
        assertThat(counts()).startsWith(1L, 1L, 1L);
    }

    @Test
    void showsTheTaskThatRuns() {
        assertThat(tasks.runningSince()).isZero();

        tasks.begin();
        assertThat(tasks.runningSince()).isEqualTo(TimeUnit.MICROSECONDS.toNanos(wall));

        tasks.end();
        assertThat(tasks.runningSince()).isZero();
    }
}
