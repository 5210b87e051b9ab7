package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
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

    private static void awaitAll(CountDownLatch all) {
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
