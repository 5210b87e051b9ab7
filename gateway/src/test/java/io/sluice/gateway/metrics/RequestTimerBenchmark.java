package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of metering a request on two event loops: with a timer for each loop, and with a shared one. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(2)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RequestTimerBenchmark {

    /** A timer that all loops share. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final Meters meters = new Meters();
        private final Timer timer = timer(meters);

        private static Timer timer(Meters meters) {
            return Meters.request(meters.requestShard(), "GET", "/benchmark/hello", "200", "SUCCESS");
        }

        @TearDown
        public void close() {
            meters.close();
        }
    }

    /** A timer for each loop, as in the gateway. */
    @State(Scope.Thread)
    public static class Own {
        private Timer timer;

        @Setup
        public void setup(Shared shared) {
            timer = Shared.timer(shared.meters);
        }
    }

    @Benchmark
    public void own(Own own) {
        own.timer.record(4_000, TimeUnit.NANOSECONDS);
    }

    @Benchmark
    public void shared(Shared shared) {
        shared.timer.record(4_000, TimeUnit.NANOSECONDS);
    }
}
