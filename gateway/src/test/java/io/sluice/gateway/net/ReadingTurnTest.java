package io.sluice.gateway.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.TransportKind;
import io.sluice.gateway.loop.LoopTaskMeter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections in one round of their event loop, of which a task stands for those that came before. */
class ReadingTurnTest {
    private final EventLoopGroup group = Transport.of(TransportKind.NIO).group("turns", 1);
    private final EventLoop loop = group.next();

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static void useUpRound() {
        while (!LoopTaskMeter.isRoundOver()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void firstMessageOfAReadIsProcessedInAnyRound() throws Exception {
        loop.submit(() -> {
            useUpRound();
            var turn = new ReadingTurn(loop, () -> { });
            turn.onReadStart();
            assertThat(turn.tryContinue()).isTrue();
            assertThat(turn.tryContinue()).isFalse();
            assertThat(turn.isOver()).isTrue();
        }).get(10, TimeUnit.SECONDS);
    }

    @Test
    void furtherMessagesAreProcessedInAFreshRound() {
        await().until(() -> loop.submit(() -> { // unless this thread was stopped for half a millisecond
            var turn = new ReadingTurn(loop, () -> { });
            turn.onReadStart();
            return turn.tryContinue() && turn.tryContinue();
        }).get(10, TimeUnit.SECONDS));
    }
}
