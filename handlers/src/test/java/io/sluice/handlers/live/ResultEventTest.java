package io.sluice.handlers.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.handlers.SlowPiece;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A result whose run ends while its worker still writes. The leak check covers the event. */
class ResultEventTest {

    @Test
    void theEventLoopDoesNotWaitForAWorkerThatCopies() throws Exception {
        var event = new ResultEvent(PooledByteBufAllocator.DEFAULT, 1000);
        var piece = new SlowPiece(new byte[100]);
        CompletableFuture<Boolean> worker =
                CompletableFuture.supplyAsync(() -> event.add(piece), Thread::startVirtualThread);
        piece.begun.get(30, TimeUnit.SECONDS);

        CompletableFuture.runAsync(event::close, Thread::startVirtualThread).get(30, TimeUnit.SECONDS);

        piece.done.complete(null);
        assertThat(worker.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(event.add(piece)).as("what comes later is dropped").isTrue();
        assertThat(event.end(null, null)).isNull();
        piece.release();
    }
}
