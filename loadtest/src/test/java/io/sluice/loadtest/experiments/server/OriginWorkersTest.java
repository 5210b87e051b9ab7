package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OriginWorkersTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final OriginWorkers workers = new OriginWorkers(2, Duration.ofMillis(100));
    private final List<Integer> done = new ArrayList<>();

    @Test
    void takeATimeEachAndNoMoreThanTheyAreAtOnce() {
        channel.freezeTime();
        for (int n = 1; n <= 5; n++) {
            int number = n;
            workers.work(channel.eventLoop(), () -> done.add(number));
        }
        assertThat(after(99)).isEmpty();
        assertThat(after(1)).containsExactly(1, 2);
        assertThat(after(100)).containsExactly(1, 2, 3, 4);
        assertThat(after(100)).hasSize(5);
        workers.work(channel.eventLoop(), () -> done.add(6));
        assertThat(after(100)).hasSize(6);
    }

    private List<Integer> after(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        return done;
    }
}
