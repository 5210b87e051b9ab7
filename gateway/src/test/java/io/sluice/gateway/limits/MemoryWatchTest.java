package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.gateway.logging.LoggedEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MemoryWatchTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(MemoryWatch.class);

    private final AtomicLong reserved = new AtomicLong();
    private final DirectMemory memory = new DirectMemory(100, reserved::get, reserved::get);
    private final List<Boolean> told = new ArrayList<>();
    private Runnable onTold = () -> { };
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoggedEvents log = new LoggedEvents();

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.addAppender(log);
        channel.freezeTime();
        new MemoryWatch(memory, channel.eventLoop(), List.of(), () -> tell(true), () -> tell(false));
    }

    private void tell(boolean isShort) {
        told.add(isShort);
        onTold.run();
    }

    @AfterEach
    void ignore() {
        LOGGER.detachAppender(log);
        channel.close();
    }

    private void look() {
        channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void enoughMemoryIsNotReported() {
        look();

        assertThat(told).isEmpty();
        assertThat(log.list).isEmpty();
    }

    @Test
    void beginAndEndOfAShortageAreReportedOnce() {
        reserved.set(90);
        look();
        look();
        reserved.set(0);
        look();
        look();

        assertThat(told).containsExactly(true, false);
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .singleElement().asString().startsWith("memory is short");
    }

    @Test
    void watchSurvivesExceptionsOfListeners() {
        onTold = () -> {
            throw new AssertionError("of a connection");
        };
        reserved.set(90);
        look();
        onTold = () -> { };
        look();

        assertThat(told).containsExactly(true, true);
    }

    /** A request may have been refused because of the shortage, so the log must say why. */
    @Test
    void shortageBetweenTwoChecksIsLogged() {
        reserved.set(90);
        assertThat(memory.isRunningOut()).isTrue();
        reserved.set(0);
        look();

        assertThat(told).containsExactly(false);
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .singleElement().asString().startsWith("memory is short");
    }
}
