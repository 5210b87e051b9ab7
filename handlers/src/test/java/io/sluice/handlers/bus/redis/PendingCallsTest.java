package io.sluice.handlers.bus.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PendingCallsTest {
    private final ClientNetwork one = new ClientNetwork(1, false);
    private final ClientNetwork other = new ClientNetwork(2, false);
    private final DefaultEventExecutor executor = new DefaultEventExecutor();

    @AfterEach
    void close() {
        executor.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void oneClientHasHalfOfTheCalls() {
        try (var calls = new PendingCalls(executor, 4, Duration.ofMinutes(1).toNanos())) {
            var answer = new CompletableFuture<String>();
            calls.add(answer, 1, one);
            assertThat(calls.isFull(one)).isFalse();
            calls.add(new CompletableFuture<>(), 1, one);
            assertThat(calls.isFull(one)).isTrue();
            assertThat(calls.isFull(other)).isFalse();
            assertThat(calls.isFull(null)).isFalse();

            answer.complete("an answer");
            assertThat(calls.isFull(one)).isFalse();
            assertThat(calls.underWay()).isEqualTo(1);
        }
    }

    /** The driver holds the payload of a call that has timed out until the server answers. */
    @Test
    void oneClientHasHalfOfThePayloadsAlsoAfterTheTimeout() {
        try (var calls = new PendingCalls(executor, 100, 1)) {
            var answer = new CompletableFuture<String>();
            CompletableFuture<String> result = calls.add(answer, (int) (MemoryShare.UNDER_WAY / 2), one);
            await().until(result::isCompletedExceptionally);
            assertThat(calls.underWay()).isZero();
            assertThat(calls.isFull(one)).isTrue();
            assertThat(calls.isFull(other)).isFalse();

            answer.complete("a late answer");
            assertThat(calls.isFull(one)).isFalse();
        }
    }
}
