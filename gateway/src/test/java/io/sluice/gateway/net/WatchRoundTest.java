package io.sluice.gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.internal.PlatformDependent;
import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.http1.EmbeddedGateway;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.gateway.loop.PeriodicSteps;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class WatchRoundTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(WatchRound.class);
    private static final int CONNECTIONS = 5_000;
    private static final TimeoutsConfig TIMEOUTS = EmbeddedGateway.config(Map.of()).timeouts();

    /** The channel that all watches share. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final EventLoop loop = channel.eventLoop();
    private final WatchRound round = new WatchRound(loop);
    private final LoggedEvents log = new LoggedEvents();
    private int looked;
    private int lookedBeforeOthers = -1;
    /** The number of further checks that the streams of the first connection need. */
    private int looksLeft;

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.addAppender(log);
        LOGGER.setAdditive(false);
    }

    @AfterEach
    void close() {
        LOGGER.setAdditive(true);
        LOGGER.detachAppender(log);
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
    void stepYieldsToOtherTasks() {
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

    /** A watch of one connection fails with each kind of throwable. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, AssertionError.class, StackOverflowError.class,
        OutOfMemoryError.class})
    void closesAConnectionWhoseWatchFailsAndLooksAtTheOthers(Class<? extends Throwable> failure)
            throws ReflectiveOperationException {
        var broken = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
        Throwable thrown = failure.getConstructor().newInstance();
        watch(broken, () -> PlatformDependent.throwException(thrown));
        watch();
        for (int tenth = 1; tenth <= 10; tenth++) {
            pass(100);
        }
        assertThat(looked).isEqualTo(CONNECTIONS);
        assertThat(broken.isOpen()).isFalse();
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("the watch over a connection failed; it is closed");

        pass(100);
        assertThat(looked).as("the next round goes on").isGreaterThan(CONNECTIONS);
    }

    private void watch() {
        channel.freezeTime();
        PeriodicSteps.OWN_TIMERS.run(loop, round::step);
        for (int n = 0; n < CONNECTIONS; n++) {
            watch(channel, this::count);
        }
    }

    private void watch(EmbeddedChannel connection, Runnable look) {
        var watch = new ConnectionWatch(TIMEOUTS);
        watch.handlerAdded(connection.pipeline().firstContext());
        watch.watch(new Silent(look));
        round.add(watch);
    }

    private void count() {
        if (looked++ == 0) {
            loop.schedule(() -> lookedBeforeOthers = looked, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private final class Silent implements ExpectedInput {
        private final Runnable look;

        Silent(Runnable look) {
            this.look = look;
        }

        @Override
        public Awaited awaited() {
            look.run();
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
        public boolean checkStreams(long now) {
            return looksLeft-- > 0;
        }
    }
}
