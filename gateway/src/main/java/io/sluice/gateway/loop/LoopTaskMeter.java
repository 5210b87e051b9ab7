package io.sluice.gateway.loop;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters the tasks of one event loop: a histogram of their CPU time, and the start and route of the running
 * one. Written by the loop's thread only; read by any thread.
 *
 * <p>Reading the CPU time of a thread takes a system call, reading the clock does not. A task of less than 1
 * ms is therefore counted with its wall time, which the CPU time cannot exceed; for a longer one the CPU time
 * is compared with a reading that is at most 0.5 ms older than the task.
 */
public final class LoopTaskMeter {
    private static final long[] BOUNDS = Arrays.stream(
            new long[] {1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000})
            .map(TimeUnit.MILLISECONDS::toNanos).toArray();
    private static final long READING_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final FastThreadLocal<LoopTaskMeter> OF_THREAD = new FastThreadLocal<>();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final VarHandle SINCE = field("since", long.class);
    private static final VarHandle ROUTE = field("route", String.class);

    private final LongSupplier clock;
    private final LongSupplier cpuClock;
    /**
     * Tasks per bucket, the last one of those above all bounds; then the sum of their CPU times in
     * nanoseconds.
     */
    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 2);
    private volatile Consumer<LoopTask> onLong = _ -> { };
    /** The start of the running task; 0 if none runs. */
    private long since;
    private @Nullable String route;
    private long cpuReading;
    private long readingAt;
    /** The start of the first task since the loop last waited for events; of no meaning before it. */
    private long roundBegun;
    private boolean inRound;
    /** The end of the previous task if the next one follows at once; 0 if the loop may have waited since. */
    private long endedAt;

    LoopTaskMeter() {
        this(System::nanoTime, THREADS.isCurrentThreadCpuTimeSupported() ? THREADS::getCurrentThreadCpuTime
                : System::nanoTime);
    }

    LoopTaskMeter(LongSupplier clock, LongSupplier cpuClock) {
        this.clock = clock;
        this.cpuClock = cpuClock;
        readingAt = clock.getAsLong() - 2 * READING_NANOS;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(LoopTaskMeter.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Attributes the running task to a route. On its loop; has no effect on executors without a meter.
     *
     * @param route the template of its path
     */
    public static void runsFor(EventExecutor loop, String route) {
        if (loop instanceof MeteredLoop metered) {
            ROUTE.setOpaque(metered.tasks(), route);
        }
    }

    /**
     * Returns whether the event loop that runs the caller has been at work for 5 ms since it last polled its
     * connections; false for executors without a meter. All connections that are ready are read in one round:
     * without a bound of all reads, a client with many connections would have as many turns in it.
     */
    public static boolean isRoundOver() {
        LoopTaskMeter meter = OF_THREAD.getIfExists();
        return meter != null && meter.roundNanos() >= ROUND_NANOS;
    }

    /** Makes this the meter of the loop whose thread runs the caller. */
    void attach() {
        OF_THREAD.set(this);
    }

    long roundNanos() {
        return clock.getAsLong() - roundBegun;
    }

    /** Notes that the loop is about to wait for events. */
    void pause() {
        endedAt = 0;
        inRound = false;
    }

    void begin() {
        long now = endedAt == 0 ? clock.getAsLong() : endedAt;
        if (!inRound) {
            inRound = true;
            roundBegun = now;
        }
        if (now - readingAt > READING_NANOS) {
            cpuReading = cpuClock.getAsLong();
            readingAt = now;
        }
        ROUTE.setOpaque(this, (String) null);
        SINCE.setOpaque(this, now);
    }

    /** Ends the running task; no effect if there is none. */
    void end() {
        if (since == 0) {
            return;
        }
        long now = clock.getAsLong();
        long start = since;
        SINCE.setOpaque(this, 0L);
        endedAt = now;
        if (now - start < BOUNDS[0]) {
            count(0, now - start);
        } else {
            endLong(start, now);
        }
    }

    private void endLong(long start, long now) {
        long reading = cpuClock.getAsLong();
        long cpu = Math.min(now - start, reading - cpuReading);
        cpuReading = reading;
        readingAt = now;
        int bucket = 0;
        while (bucket < BOUNDS.length && cpu > BOUNDS[bucket]) {
            bucket++;
        }
        count(bucket, cpu);
        onLong.accept(new LoopTask(start, Duration.ofNanos(cpu), Duration.ofNanos(now - start), route));
        endedAt = 0; // do not count the listener's time for the next task
    }

    private void count(int bucket, long nanos) {
        counts.lazySet(bucket, counts.getPlain(bucket) + 1);
        counts.lazySet(BOUNDS.length + 1, counts.getPlain(BOUNDS.length + 1) + nanos);
    }

    /**
     * Tells a listener, on the loop, of each task that took 1 ms of wall time or more. For the tests' budget
     * of event-loop tasks, like {@link #runningSince}.
     */
    public void onLong(Consumer<LoopTask> listener) {
        onLong = listener;
    }

    /** Returns the start of the running task, by {@link System#nanoTime}; 0 if none runs. For tests. */
    public long runningSince() {
        return (long) SINCE.getOpaque(this);
    }

    /**
     * The template of the last route that the running task ran for, or the last task if none runs; null for
     * none. Any thread.
     */
    public String route() {
        return (String) ROUTE.getOpaque(this);
    }

    /** Returns the CPU time of all tasks in seconds. */
    public double seconds() {
        return counts.get(BOUNDS.length + 1) / 1e9;
    }

    /** Upper bounds of the histogram's buckets in nanoseconds; one more bucket has no bound. */
    public static long[] bounds() {
        return BOUNDS.clone();
    }

    /** Returns the number of tasks in a bucket, without those of lower buckets. */
    public long count(int bucket) {
        return counts.get(bucket);
    }
}
