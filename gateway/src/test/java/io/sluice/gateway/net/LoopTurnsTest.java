package io.sluice.gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTurnsTest {

    @Test
    void workThatAddsItselfAgainWaitsForTheNextTurn() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        var end = new CountDownLatch(1);
        var loop = new DefaultEventLoop();
        try {
            loop.execute(() -> LoopTurns.ofThisLoop().add(loop, () -> {
                done.add("first");
                loop.schedule(() -> done.add("other"), 0, TimeUnit.NANOSECONDS);
                LoopTurns.ofThisLoop().add(loop, () -> {
                    done.add("second");
                    end.countDown();
                });
            }));
            assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(done).containsExactly("first", "other", "second");
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** As of requests that are to be logged and counted. */
    @Test
    void workIsDoneBeforeTheLoopEnds() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        var loop = new DefaultEventLoop();
        loop.execute(() -> {
            LoopTurns.ofThisLoop().add(loop, () -> {
                done.add("first");
                LoopTurns.ofThisLoop().add(loop, () -> done.add("second"));
            });
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });
        assertThat(loop.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(done).containsExactly("first", "second");
    }
}
