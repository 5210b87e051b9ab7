package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Event loops with real sockets, and a clock that only the test advances. */
public final class LoopsWithClock extends MultiThreadIoEventLoopGroup {
    private static final Duration STEP = Duration.ofMillis(100);

    private final MockTicker clock;

    public LoopsWithClock(int threads, MockTicker clock) {
        super(threads, new DefaultThreadFactory("test", true), NioIoHandler.newFactory(), clock);
        this.clock = clock;
        // A loop that waits for its sockets waits for the time until the next timer. With a clock this far
        // ahead that is practically for ever.
        clock.advance(10_000, TimeUnit.DAYS);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... arguments) {
        return new SingleThreadIoEventLoop(this, executor, io) {
            @Override
            public Ticker ticker() {
                return (Ticker) arguments[0];
            }

            /** Moves the clock: Netty sleeps for 100 ms where none has passed since the last task. */
            @Override
            protected boolean confirmShutdown() {
                if (isShuttingDown()) {
                    ((MockTicker) arguments[0]).advance(1, TimeUnit.NANOSECONDS);
                }
                return super.confirmShutdown();
            }
        };
    }

    /** Advances the clock in steps, and runs the tasks that become due. */
    public void pass(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(Math.min(left.toNanos(), STEP.toNanos()), TimeUnit.NANOSECONDS);
            comeRound(this, 2); // twice, since due tasks may schedule others
        }
    }

    /** Shuts down, and returns when the loops have ended. Advances the clock meanwhile. */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        Future<?> ended = super.shutdownGracefully(quietPeriod, timeout, unit);
        while (!ended.awaitUninterruptibly(5)) {
            clock.advance(timeout, unit);
        }
        return ended;
    }

    /**
     * Returns when each loop has polled its sockets that many times. Not to be called on one of the loops.
     */
    public static void comeRound(EventLoopGroup loops, int times) {
        for (int time = 0; time < times; time++) {
            for (EventExecutor loop : loops) {
                // A scheduled task runs after the next poll of sockets; a submitted one may run before it.
                loop.submit(() -> loop.schedule(() -> { }, 0, TimeUnit.NANOSECONDS)).syncUninterruptibly()
                        .getNow().syncUninterruptibly();
            }
        }
    }
}
