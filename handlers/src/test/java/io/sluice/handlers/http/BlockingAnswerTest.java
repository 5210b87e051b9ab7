package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The class's leak check sees what is not released here. */
class BlockingAnswerTest {
    private static final byte[] LARGE = "0123456789".repeat(10_000).getBytes(StandardCharsets.US_ASCII);

    private final RecordedExchange exchange = new RecordedExchange(Duration.ofSeconds(20));
    private final BlockingAnswer answer = new BlockingAnswer(exchange, "text/x");

    @AfterEach
    void release() {
        answer.discard();
        exchange.release();
    }

    @Test
    void whatFitsTheFirstBufferIsSentWhole() throws Exception {
        answer.headers().set("x", "y");
        answer.write("all of ".getBytes(StandardCharsets.US_ASCII));
        answer.write('i');
        answer.write('t');
        assertThat(exchange.responses).isEmpty();

        answer.finish();

        assertThat(exchange.responses).singleElement().satisfies(response -> {
            assertThat(response.content().toString(StandardCharsets.US_ASCII)).isEqualTo("all of it");
            assertThat(response.headers().get(HttpHeaderNames.CONTENT_TYPE)).isEqualTo("text/x");
            assertThat(response.headers().get("x")).isEqualTo("y");
        });
        assertThat(exchange.head).isNull();
    }

    @Test
    void nothingIsAnEmptyAnswer() {
        answer.finish();

        assertThat(exchange.responses).singleElement()
                .satisfies(response -> assertThat(response.content().isReadable()).isFalse());
    }

    @Test
    void whatDoesNotFitIsStreamedInPieces() throws Exception {
        answer.write(LARGE);
        assertThat(exchange.body.readableBytes()).isEqualTo(3 * 32 * 1024);

        answer.finish();

        assertThat(exchange.body.toString(StandardCharsets.US_ASCII)).isEqualTo("0123456789".repeat(10_000));
        assertThat(exchange.largestPiece).isEqualTo(32 * 1024);
        assertThat(exchange.head.headers().get(HttpHeaderNames.CONTENT_TYPE)).isEqualTo("text/x");
        assertThat(exchange.ended).isTrue();
        assertThat(exchange.responses).isEmpty();
    }

    @Test
    void oneThatFillsABufferToTheLastByteIsStreamed() throws Exception {
        answer.write(LARGE, 0, 32 * 1024);
        answer.finish();

        assertThat(exchange.body.readableBytes()).isEqualTo(32 * 1024);
        assertThat(exchange.ended).isTrue();
    }

    @Test
    void whatIsDiscardedIsNotSent() throws Exception {
        answer.write(LARGE, 0, 100);
        answer.discard();
        answer.finish();

        assertThat(exchange.responses).isEmpty();
        assertThat(exchange.head).isNull();
        assertThatThrownBy(() -> answer.write(1)).isInstanceOf(IOException.class);
    }

    @Test
    void aWriterWaitsForASlowReader() throws Exception {
        exchange.writable = false;
        CompletableFuture<Void> writer = write();
        exchange.awaitPiece();
        assertThat(writer).isNotDone();
        assertThat(exchange.body.readableBytes()).isEqualTo(32 * 1024);

        exchange.becomeWritable();

        writer.get(30, TimeUnit.SECONDS);
        assertThat(exchange.body.readableBytes()).isEqualTo(3 * 32 * 1024);
    }

    @Test
    void aWriterThatIsWokenForNothingGoesOnWaiting() throws Exception {
        exchange.writable = false;
        CompletableFuture<Void> writer = write();
        exchange.awaitPiece();

        exchange.onWritable.run();

        assertThatThrownBy(() -> writer.get(100, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        answer.discard();
        assertThatThrownBy(() -> writer.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .cause().hasMessage("nobody waits for this answer any more");
    }

    @Test
    void aWriterWaitsNoLongerThanTheDeadline() {
        var soon = new RecordedExchange(Duration.ofMillis(50));
        soon.writable = false;
        var tooSlow = new BlockingAnswer(soon, "text/x");

        assertThatThrownBy(() -> tooSlow.write(LARGE))
                .isInstanceOfSatisfying(HttpException.class, late ->
                        assertThat(late.status().code()).isEqualTo(504))
                .hasMessage("the client reads too slowly");
        soon.release();
    }

    @Test
    void aWriterThatIsInterruptedStops() throws Exception {
        exchange.writable = false;
        var interrupted = new CompletableFuture<Boolean>();
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                answer.write(LARGE);
            } catch (IOException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        exchange.awaitPiece();
        writer.interrupt();

        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aWriterStopsWhereTheExchangeHasEnded() {
        exchange.gone = true;

        assertThatThrownBy(() -> answer.write(LARGE)).isInstanceOf(IOException.class);
        assertThat(exchange.body.isReadable()).isFalse();
    }

    private CompletableFuture<Void> write() {
        return CompletableFuture.runAsync(() -> {
            try {
                answer.write(LARGE);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }, Thread::startVirtualThread);
    }
}
