package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.gateway.logging.LoggedEvents;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MemoryWatchTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(MemoryWatch.class);

    private final AtomicLong reserved = new AtomicLong();
    private final DirectMemory memory = new DirectMemory(100, reserved::get, reserved::get);
    private final AtomicLong old = new AtomicLong();
    private final AtomicLong oldAfterCollection = new AtomicLong();
    private final AtomicInteger collections = new AtomicInteger();
    private final List<Boolean> told = new ArrayList<>();
    private Runnable onTold = () -> { };
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoggedEvents log = new LoggedEvents();

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.addAppender(log);
        channel.freezeTime();
        var heap = new HeapMemory(() -> usage(old), () -> usage(oldAfterCollection),
                collections::incrementAndGet, channel.eventLoop().ticker());
        new MemoryWatch(memory, heap, channel.eventLoop(), List.of(), _ -> tell(true), () -> tell(false));
    }

    private static MemoryUsage usage(AtomicLong used) {
        return new MemoryUsage(0, used.get(), 100, 100);
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

    @Test
    void endOfADirectShortageIsToldWhileTheHeapIsShort() {
        oldAfterCollection.set(90);
        reserved.set(90);
        look();
        reserved.set(0);
        look();

        assertThat(told).containsExactly(true, false);
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
    void heapShortageIsToldUntilACollectionFindsRoom() {
        oldAfterCollection.set(89);
        look();
        assertThat(told).isEmpty();

        oldAfterCollection.set(90);
        look();
        look();
        assertThat(told).containsExactly(true);
        await().until(() -> collections.get() == 1);
        channel.advanceTimeBy(5, TimeUnit.SECONDS);
        look();
        await().until(() -> collections.get() == 2);
        oldAfterCollection.set(50);
        look();

        assertThat(told).last().isEqualTo(false);
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                .startsWith("memory is short: 0 of 0 MiB of the old generation");
    }

    @Test
    void oldGenerationIsCollectedBeforeItIsFull() {
        oldAfterCollection.set(60);
        old.set(79);
        look();
        assertThat(collections).hasValue(0);

        old.set(80);
        look();

        await().until(() -> collections.get() == 1);
        assertThat(told).isEmpty();
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
