package io.sluice.handlers.bus.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.topic.BusUrl;
import java.util.AbstractList;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A cluster without servers, on an executor whose clock the test moves. */
class ClusterShardsTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();

    /** The servers to ask, which cannot be listed after the first time. */
    private static final class Seeds extends AbstractList<BusUrl.Server> {
        private int asked;

        @Override
        public BusUrl.Server get(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public int size() {
            if (++asked > 1) {
                throw new StackOverflowError("thrown by a test");
            }
            return 0;
        }
    }

    @Test
    void lookUpIsRepeatedAfterAnException() {
        var seeds = new Seeds();
        var shards = new ClusterShards("test", new BusUrl(false, seeds, 0, Optional.empty()), null,
                channel.eventLoop(), null, null);
        channel.freezeTime();
        shards.open();
        channel.runPendingTasks();
        int before = seeds.asked;
        for (int i = 0; i < 3; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runPendingTasks();
        }

        assertThat(seeds.asked).isGreaterThanOrEqualTo(before + 3);
        shards.close();
        channel.finishAndReleaseAll();
    }
}
