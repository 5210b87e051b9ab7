package io.sluice.gateway.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.TransportKind;
import io.sluice.gateway.net.Transport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoopWatchdogTest {

    @Test
    void reportsABlockedLoopOnceWithItsRouteAndItsStack() throws InterruptedException {
        List<StackTraceElement[]> reports = new CopyOnWriteArrayList<>();
        List<String> routes = new CopyOnWriteArrayList<>();
        var longest = new AtomicLong();
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 1);
        var observer = new LoopWatchdog.Observer() {
            @Override
            public void ran(int loop, long nanos) {
                longest.accumulateAndGet(nanos, Math::max);
            }

            @Override
            public void blocked(Duration time, @Nullable String route, StackTraceElement[] stack) {
                routes.add(route);
                reports.add(stack);
            }
        };
        try (var _ = new LoopWatchdog(group, Duration.ofMillis(50), observer)) {
            var latch = new CountDownLatch(1);
            EventLoop loop = group.next();
            loop.execute(() -> {
                LoopTaskMeter.runsFor(loop, "/slow/{n}");
                block(latch);
            });

            await().until(() -> blocks(reports) == 1);
            assertThat(routes).contains("/slow/{n}");

            latch.countDown();
            group.submit(() -> { }).await();
            await().until(() -> longest.get() > TimeUnit.MILLISECONDS.toNanos(50));
            assertThat(blocks(reports)).isOne();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Returns the number of reports about this block. On a busy machine there may be others. */
    private static long blocks(List<StackTraceElement[]> reports) {
        return reports.stream().filter(stack -> Arrays.stream(stack)
                .anyMatch(element -> element.getMethodName().equals("block"))).count();
    }

    @Test
    void hasThingsDoneOnALoopAgainAndAgain() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 2);
        EventLoopGroup other = Transport.of(TransportKind.NIO).group("unwatched", 1);
        EventLoop loop = group.next();
        var done = new AtomicInteger();
        try (var watchdog = new LoopWatchdog(group, Duration.ofMinutes(1), failing(new AtomicInteger()))) {
            watchdog.run(loop, () -> done.addAndGet(loop.inEventLoop() ? 1 : -1_000));

            await().untilAsserted(() -> assertThat(done).hasValueGreaterThan(2));
            assertThatThrownBy(() -> watchdog.run(other.next(), () -> { }))
                    .isInstanceOf(NoSuchElementException.class);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            other.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Timeouts, the Date header and the meters' clock depend on the periodic steps. */
    @Test
    void goesOnWhateverAStepOrItsObserverThrows() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 1);
        var failures = new AtomicInteger();
        var done = new AtomicInteger();
        try (var watchdog = new LoopWatchdog(group, Duration.ofMillis(50), failing(failures))) {
            EventLoop loop = group.next();
            watchdog.run(loop, () -> {
                failures.incrementAndGet();
                throw new StackOverflowError("a step");
            });
            watchdog.run(loop, done::incrementAndGet);
            await().untilAsserted(() -> assertThat(done).hasValueGreaterThan(2));

            var latch = new CountDownLatch(1);
            int before = failures.get();
            group.execute(() -> block(latch));
            await().until(() -> failures.get() > before);
            latch.countDown();

            done.set(0);
            await().untilAsserted(() -> assertThat(done).hasValueGreaterThan(2));
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Returns an observer whose methods throw; counts its reports. */
    private static LoopWatchdog.Observer failing(AtomicInteger reports) {
        return new LoopWatchdog.Observer() {
            @Override
            public void ran(int loop, long nanos) {
                throw new AssertionError("an observation");
            }

            @Override
            public void blocked(Duration time, @Nullable String route, StackTraceElement[] stack) {
                reports.incrementAndGet();
                throw new AssertionError("a report");
            }
        };
    }

    private static void block(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
