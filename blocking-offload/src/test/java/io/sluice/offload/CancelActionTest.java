package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CancelActionTest {
    private static final int MANY = 20;

    /** The start of a thread waits until it runs, which for a hundred takes tens of milliseconds. */
    @Test
    void theCallerStartsNoThreads() throws Exception {
        CancelAction first = new CancelAction(() -> { });
        first.start();
        first.close();
        var starter = new InheritableThreadLocal<String>();
        starter.set("the caller");
        BlockingQueue<String> starters = new LinkedBlockingQueue<>();
        var all = new CountDownLatch(MANY);
        List<CancelAction> actions = Stream.generate(() -> new CancelAction(() -> {
            starters.add(String.valueOf(starter.get()));
            all.countDown();
            awaitAll(all);
        })).limit(MANY).toList();

        actions.forEach(CancelAction::start);
        actions.forEach(CancelAction::close);

        assertThat(starters).hasSize(MANY).containsOnly("null");
    }

    @Test
    void isTriedAgainIfNoThreadCanBeStarted() throws Exception {
        var attempts = new AtomicInteger();
        var done = new CountDownLatch(1);
        CancelAction action = new CancelAction(done::countDown, running -> {
            if (attempts.incrementAndGet() < 3) {
                throw new OutOfMemoryError("unable to create native thread (of this test)");
            }
            running.run();
        });

        action.start();

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        action.close();
        assertThat(attempts).hasValue(3);
    }

    /** The statement has ended meanwhile: a cancellation would hit the next one. */
    @Test
    void isNotTriedAgainOnceItIsClosed() {
        var attempts = new AtomicInteger();
        CancelAction action = new CancelAction(() -> { }, _ -> {
            attempts.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread (of this test)");
        });
        action.start();
        await().until(() -> attempts.get() > 0);
        action.close();
        int before = attempts.get();

        await().during(Duration.ofMillis(250)).until(() -> attempts.get() == before);
    }

    private static void awaitAll(CountDownLatch all) {
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
