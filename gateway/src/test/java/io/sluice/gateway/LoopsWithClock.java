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

/** Event loops with real sockets, for which time passes only when a test says so. */
public final class LoopsWithClock extends MultiThreadIoEventLoopGroup {
    private static final Duration STEP = Duration.ofMillis(100);

    private final MockTicker clock;

    public LoopsWithClock(int threads, MockTicker clock) {
        super(threads, new DefaultThreadFactory("test", true), NioIoHandler.newFactory(), clock);
        this.clock = clock;
        // A loop waits for its sockets until a timer is due by the system's clock: for ever, seen from here.
        clock.advance(10_000, TimeUnit.DAYS);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... arguments) {
        return new SingleThreadIoEventLoop(this, executor, io) {
            @Override
            public Ticker ticker() {
                return (Ticker) arguments[0];
            }
        };
    }

    /** Lets time pass, in steps, and what is due then happen. */
    public void pass(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(Math.min(left.toNanos(), STEP.toNanos()), TimeUnit.NANOSECONDS);
            comeRound(this, 2); // what is due may have more done on the next occasion
        }
    }

    /** Returns when they have ended, for which time has to pass. */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        Future<?> ended = super.shutdownGracefully(quietPeriod, timeout, unit);
        while (!ended.awaitUninterruptibly(5)) {
            clock.advance(timeout, unit);
        }
        return ended;
    }

    /** Returns when each loop has looked at its sockets so many times. Not on one of them. */
    public static void comeRound(EventLoopGroup loops, int times) {
        for (int time = 0; time < times; time++) {
            for (EventExecutor loop : loops) {
                // Scheduled on the loop: what is executed may run before it looks at its sockets again.
                loop.submit(() -> loop.schedule(() -> { }, 0, TimeUnit.NANOSECONDS)).syncUninterruptibly()
                        .getNow().syncUninterruptibly();
            }
        }
    }
}
