package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.SlowPiece;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A response whose exchange ends while its worker still writes. The leak check covers its buffers. */
class CollectedStreamTest {

    @Test
    void theEventLoopDoesNotWaitForAWriterThatCopies() throws Exception {
        var stream = new CollectedStream(null, new ResponseMemory(() -> { }),
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK),
                PooledByteBufAllocator.DEFAULT, ImmediateEventExecutor.INSTANCE, false, 1000);
        stream.write(Unpooled.copiedBuffer(new byte[1]));
        var piece = new SlowPiece(new byte[100]);
        CompletableFuture<Void> writer =
                CompletableFuture.runAsync(() -> stream.write(piece), Thread::startVirtualThread);
        piece.begun.get(30, TimeUnit.SECONDS);

        CompletableFuture.runAsync(() -> {
            assertThat(stream.written()).isPositive();
            stream.close();
        }, Thread::startVirtualThread).get(30, TimeUnit.SECONDS);

        piece.done.complete(null);
        writer.get(30, TimeUnit.SECONDS);
        assertThat(piece.refCnt()).isZero();
        stream.write(Unpooled.copiedBuffer(new byte[1]));
        assertThat(stream.take()).isSameAs(Unpooled.EMPTY_BUFFER);
    }
}
