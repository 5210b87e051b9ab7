package io.sluice.gateway.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchRoundTest {
    private static final int CONNECTIONS = 5_000;

    /** The channel of all watches: what becomes of it is of no interest here. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final EventLoop loop = channel.eventLoop();
    private final WatchRound round = new WatchRound(loop);
    private int looked;
    private int lookedBeforeOthers = -1;
    /** Of the streams of the first connection. */
    private int looksLeft;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void looksAtEachConnectionOnceASecond() {
        watch();
        for (int tenth = 1; tenth <= 10; tenth++) {
            pass(100);
            assertThat(looked).isEqualTo(CONNECTIONS / 10 * tenth);
        }
    }

    @Test
    void letsOthersHaveTheirTurnWithinAStep() {
        watch();
        pass(100);
        assertThat(looked).isEqualTo(CONNECTIONS / 10);
        assertThat(lookedBeforeOthers).isBetween(1, 20);
    }

    @Test
    void looksAgainWithinTheStepWhereStreamsAreLeft() {
        looksLeft = 100;
        watch();
        pass(100);
        assertThat(looked).isEqualTo(CONNECTIONS / 10 + 100);
        assertThat(lookedBeforeOthers).isBetween(1, 20);
    }

    private void watch() {
        channel.freezeTime();
        LoopTicks.OWN_TIMERS.run(loop, round::step);
        var timeouts = EmbeddedGateway.config(Map.of()).timeouts();
        for (int n = 0; n < CONNECTIONS; n++) {
            var watch = new ConnectionWatch(timeouts);
            watch.handlerAdded(channel.pipeline().firstContext());
            watch.watch(new Silent());
            round.add(watch);
        }
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private final class Silent implements Watched {

        @Override
        public Awaited awaited() {
            if (looked++ == 0) {
                loop.schedule(() -> lookedBeforeOthers = looked, 0, TimeUnit.NANOSECONDS);
            }
            return Awaited.FIRST_HEAD;
        }

        @Override
        public long requests() {
            return 0;
        }

        @Override
        public void tooSlow(Awaited what) {
            throw new AssertionError("it is not");
        }

        @Override
        public boolean lookAtStreams(long now) {
            return looksLeft-- > 0;
        }
    }
}
