package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.TransportKind;
import io.sluice.gateway.loop.LoopTasks;
import io.sluice.gateway.net.Transport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventLoopMonitorTest {

    @Test
    void reportsABlockedLoopOnceWithItsRouteAndItsStack() throws InterruptedException {
        List<StackTraceElement[]> reports = new CopyOnWriteArrayList<>();
        List<String> routes = new CopyOnWriteArrayList<>();
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 1);
        try (var meters = new Meters();
                var _ = new EventLoopMonitor(group, Duration.ofMillis(50), meters,
                        (_, route, stack) -> {
                            routes.add(route);
                            reports.add(stack);
                        })) {
            var latch = new CountDownLatch(1);
            EventLoop loop = group.next();
            loop.execute(() -> {
                LoopTasks.runsFor(loop, "/slow/{n}");
                block(latch);
            });

            await().until(() -> blocks(reports) == 1);
            assertThat(routes).contains("/slow/{n}");

            latch.countDown();
            group.submit(() -> { }).await();
            await().until(() -> meters.lag("0").max(TimeUnit.MILLISECONDS) > 50);
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
    void keepsTheMetersClockGoing() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 1);
        try (var meters = new Meters(); var _ = new EventLoopMonitor(group, Duration.ofMinutes(1), meters)) {
            var clock = meters.clock();
            for (int tick = 0; tick < 2; tick++) {
                long before = clock.getAsLong();
                await().until(() -> clock.getAsLong() > before);
            }
            assertThat(System.currentTimeMillis() - clock.getAsLong()).isBetween(0L, 30_000L);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void hasThingsDoneOnALoopAgainAndAgain() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 2);
        EventLoopGroup other = Transport.of(TransportKind.NIO).group("unwatched", 1);
        EventLoop loop = group.next();
        var done = new AtomicInteger();
        try (var meters = new Meters();
                var monitor = new EventLoopMonitor(group, Duration.ofMinutes(1), meters)) {
            monitor.run(loop, () -> done.addAndGet(loop.inEventLoop() ? 1 : -1_000));

            await().untilAsserted(() -> assertThat(done).hasValueGreaterThan(2));
            assertThatThrownBy(() -> monitor.run(other.next(), () -> { }))
                    .isInstanceOf(NoSuchElementException.class);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            other.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Timeouts, the Date header and the meters' clock depend on the ticks. */
    @Test
    void goesOnWhateverAStepOrAReportThrows() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 1);
        var failures = new AtomicInteger();
        var done = new AtomicInteger();
        try (var meters = new Meters();
                var monitor = new EventLoopMonitor(group, Duration.ofMillis(50), meters, (_, _, _) -> {
                    failures.incrementAndGet();
                    throw new AssertionError("a report");
                })) {
            EventLoop loop = group.next();
            monitor.run(loop, () -> {
                failures.incrementAndGet();
                throw new StackOverflowError("a step");
            });
            monitor.run(loop, done::incrementAndGet);
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

    private static void block(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
