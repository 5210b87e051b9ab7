package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.SpillConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.FakeResponse;
import io.sluice.offload.spill.SpillException;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A blocking writer of an answer. The leak check covers buffers that it must release. */
class BlockingResponseTest {
    private static final byte[] LARGE = "0123456789".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
    /** The configured default. */
    private static final Duration GRACE = new ConfigLoader(Map.of("sluice.offload.pools.main.workers", "1"))
            .loadResource("reference.conf").config().offload().pools().get("main").clientGrace();

    private final FakeExchange exchange = new FakeExchange();
    /** The number of texts that a thread of its own writes. */
    private int times = 1;
    private final FakeResponse client = exchange.answer();
    private final WaitingScope scope = new WaitingScope();
    private final BlockingResponse answer = new BlockingResponse(exchange, scope, "text/x", SpillSpace.NONE);

    @AfterEach
    void release() {
        answer.discard();
    }

    @Test
    void responseWithinTheFirstBufferIsSentWhole() throws Exception {
        answer.headers().set("x", "y");
        answer.write("all of ".getBytes(StandardCharsets.US_ASCII));
        answer.write('i');
        answer.write('t');
        assertThat(client.status()).isZero();
        assertThat(answer.isUnsent()).isTrue();

        answer.rest().send();

        assertThat(client.isWhole()).isTrue();
        assertThat(client.text()).isEqualTo("all of it");
        assertThat(client.headers().get(HttpHeaderNames.CONTENT_TYPE)).isEqualTo("text/x");
        assertThat(client.headers().get("x")).isEqualTo("y");
        assertThat(client.largestPiece()).as("nothing is streamed").isZero();
    }

    @Test
    void unwrittenResponseIsEmpty() throws Exception {
        answer.rest().send();

        assertThat(client.isWhole()).isTrue();
        assertThat(client.bytes()).isEmpty();
    }

    @Test
    void largeResponseIsStreamed() throws Exception {
        answer.write(LARGE);
        assertThat(client.bytes()).hasSize(3 * 32 * 1024);
        assertThat(answer.isUnsent()).isFalse();

        answer.rest().send();

        assertThat(client.text()).isEqualTo("0123456789".repeat(10_000));
        assertThat(client.largestPiece()).isEqualTo(32 * 1024);
        assertThat(client.headers().get(HttpHeaderNames.CONTENT_TYPE)).isEqualTo("text/x");
        assertThat(client.isWhole()).isTrue();
    }

    @Test
    void oneThatFillsABufferToTheLastByteIsStreamed() throws Exception {
        answer.write(LARGE, 0, 32 * 1024);
        answer.rest().send();

        assertThat(client.bytes()).hasSize(32 * 1024);
        assertThat(client.isWhole()).isTrue();
    }

    @Test
    void discardedResponseIsNotSent() throws Exception {
        answer.write(LARGE, 0, 100);
        answer.discard();

        assertThat(client.status()).isZero();
    }

    @Test
    void releasedRestIsNotSent() throws Exception {
        answer.write(LARGE);
        answer.rest().release();

        assertThat(client.isWhole()).isFalse();
    }

    @Test
    void aWriterWaitsForASlowReader() throws Exception {
        client.stopReading();
        CompletableFuture<Void> writer = write();
        awaitWait();

        client.wakeWriter(); // without room to write
        awaitWait();
        assertThat(client.bytes()).hasSize(32 * 1024);
        client.readOn();

        writer.get(30, TimeUnit.SECONDS);
        assertThat(client.bytes()).hasSize(3 * 32 * 1024);
    }

    @Test
    void cancelEndsAWaitingWriter() throws Exception {
        client.stopReading();
        CompletableFuture<Void> writer = write();
        awaitWait();

        scope.cancel();

        assertThatThrownBy(() -> writer.get(30, TimeUnit.SECONDS)).cause()
                .hasMessage("nobody waits for this response any more");
    }

    @Test
    void theEventLoopNeverWaitsForAWriterThatCompresses() throws Exception {
        var compressing = new Compressing(exchange);
        CompletableFuture<Void> writer = write(compressing);
        compressing.begun.join();

        client.wakeWriter();
        scope.abandoned = true;
        client.wakeWriter();
        assertThat(writer).isNotDone();

        compressing.done.complete(null);
        assertThatThrownBy(() -> writer.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    }

    @Test
    void theRestForAReaderThatHasHadItsTimeGoesToDisk(@TempDir Path directory) throws Exception {
        scope.grace = Duration.ZERO;
        client.stopReading();
        try (var space = space(directory)) {
            var spilling = new BlockingResponse(exchange, scope, "text/x", space);
            spilling.write(LARGE);
            ResponseRest rest = spilling.rest();

            assertThat(client.bytes()).hasSize(32 * 1024);
            assertThat(space.used()).isEqualTo(128 * 1024);
            rest.release();
            assertThat(space.used()).isZero();
        }
    }

    /** It is behind a rate of 1 MiB a second by 0.9 s less 4 x 31.25 ms after its first piece. */
    @Test
    void aReaderThatTakesAPieceEach900MsIsWaitedForForASecondAltogether(@TempDir Path directory)
            throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        scope.clock = clock;
        scope.grace = GRACE;
        client.takeAtOnce(128 * 1024);
        times = 5;
        try (var space = space(directory)) {
            CompletableFuture<Void> writer = write(exchange, space);
            awaitWait();
            clock.advance(900, TimeUnit.MILLISECONDS);
            client.readOn();
            awaitWait();
            clock.advance(224, TimeUnit.MILLISECONDS);
            client.wakeWriter();
            awaitWait();
            assertThat(space.used()).isZero();

            clock.advance(2, TimeUnit.MILLISECONDS);
            client.wakeWriter();

            writer.get(30, TimeUnit.SECONDS);
            assertThat(client.bytes()).hasSize(256 * 1024);
        }
    }

    @Test
    void withoutSpaceOnDiskTheReaderIsCutOff() {
        scope.grace = Duration.ZERO;
        client.stopReading();

        assertThatThrownBy(() -> answer.write(LARGE))
                .isInstanceOf(SpillException.class).hasMessage("no space is left");
    }

    @Test
    void aWriterThatIsInterruptedStops() throws Exception {
        client.stopReading();
        var interrupted = new CompletableFuture<Boolean>();
        Thread writer = Thread.ofPlatform().start(() -> {
            var waiting = new BlockingResponse(exchange, scope, "text/x", SpillSpace.NONE);
            try {
                waiting.write(LARGE);
            } catch (IOException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            } finally {
                waiting.discard();
            }
        });
        await().until(() -> client.bytes().length > 0);
        writer.interrupt();

        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aWriterStopsWhereTheExchangeHasEnded() {
        exchange.leave();

        assertThatThrownBy(() -> answer.write(LARGE)).isInstanceOf(IOException.class);
        assertThat(client.bytes()).isEmpty();
    }

    private static SpillSpace space(Path directory) {
        return new SpillSpace(new SpillConfig(Optional.of(new WritableDirectory(directory)),
                new ByteSize(1 << 20)));
    }

    /** Returns when the writer has asked again how long it may wait, and waits. */
    private void awaitWait() throws InterruptedException {
        assertThat(scope.looks.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        await().until(() -> LockSupport.getBlocker(scope.writer) instanceof BlockingResponse);
        scope.looks.drainPermits();
    }

    private CompletableFuture<Void> write() {
        return write(exchange);
    }

    private CompletableFuture<Void> write(Exchange to) {
        return write(to, SpillSpace.NONE);
    }

    private CompletableFuture<Void> write(Exchange to, SpillSpace space) {
        return CompletableFuture.runAsync(() -> {
            var waiting = new BlockingResponse(to, scope, "text/x", space);
            try {
                for (int i = 0; i < times; i++) {
                    waiting.write(LARGE);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            } finally {
                waiting.discard();
            }
        }, Thread::startVirtualThread);
    }
}
