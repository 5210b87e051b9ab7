package io.sluice.gateway.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.message.FlatHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CompressedStreamTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger flushed = new AtomicInteger();
    private Runnable whileBusy = () -> { };
    private HttpHeaders ended;
    private final FakeExchange exchange = new FakeExchange();
    private final CompressedStream stream = stream();

    private final class Inner implements ResponseStream {
        @Override
        public void write(ByteBuf content) {
            try {
                content.readBytes(written, content.readableBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                content.release();
            }
            whileBusy.run();
        }

        @Override
        public void flush() {
            flushed.incrementAndGet();
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void onWritable(Runnable action) {
            action.run();
        }

        @Override
        public void end(HttpHeaders trailers) {
            ended = trailers;
        }
    }

    private CompressedStream stream() {
        return new CompressedStream(exchange, new Inner(), ContentCoding.GZIP, false,
                closed::incrementAndGet);
    }

    private ByteBuf text(String text) {
        return PooledByteBufAllocator.DEFAULT.buffer().writeBytes(text.getBytes(UTF_8));
    }

    @Test
    void closesAtItsEndOnce() throws IOException {
        stream.write(text("a"));
        stream.write(text(""));
        stream.write(text("b"));
        assertThat(closed).hasValue(0);
        stream.flush();
        assertThat(flushed).hasValue(1);
        var trailers = new FlatHeaders(1);
        stream.end(trailers);
        stream.abandon();
        stream.write(text("too late"));

        assertThat(closed).hasValue(1);
        assertThat(ended).isSameAs(trailers);
        assertThat(new String(Decoding.decode("gzip", written.toByteArray()), UTF_8)).isEqualTo("ab");
    }

    @Test
    void closesWhenItIsAbandonedOnce() {
        stream.write(text("a"));
        stream.abandon();
        assertThat(closed).hasValue(1);
        int size = written.size();
        stream.write(text("too late"));
        stream.end();
        stream.abandon();

        assertThat(closed).hasValue(1);
        assertThat(written.size()).isEqualTo(size);
    }

    @Test
    void isClosedByItsWriterWhenItIsAbandonedMeanwhile() {
        whileBusy = () -> {
            stream.abandon();
            assertThat(closed).hasValue(0);
        };
        stream.write(text("a"));

        assertThat(closed).hasValue(1);
        stream.write(text("too late"));
        stream.abandon();
        assertThat(closed).hasValue(1);
    }

    @Test
    void mayEndOrBeAbandonedBeforeAnythingIsWritten() throws IOException {
        stream.end();
        assertThat(closed).hasValue(1);
        assertThat(Decoding.decode("gzip", written.toByteArray())).isEmpty();

        stream().abandon();
        assertThat(closed).hasValue(2);
    }

    /** An event loop that resumes it has no handler that could report the error. */
    @Test
    void failsTheExchangeByAnyError() {
        var defect = new OutOfMemoryError("no direct memory, by this test");
        whileBusy = () -> {
            throw defect;
        };
        stream.write(text("a"));
        assertThat(exchange.failure()).isSameAs(defect);

        stream.abandon();
        assertThat(closed).hasValue(1);
    }

    @Test
    void ofAnotherServerWaitsForTheNextTurnAfter64KiB() {
        var onLoop = new CompressedStream(exchange, new Inner(), ContentCoding.GZIP, true,
                closed::incrementAndGet);
        var resumed = new AtomicInteger();
        onLoop.write(text("a".repeat(60_000)));
        assertThat(onLoop.isWritable()).isTrue();
        onLoop.write(text("a".repeat(6_000)));
        onLoop.onWritable(resumed::incrementAndGet);
        assertThat(onLoop.isWritable()).isFalse();
        assertThat(resumed).hasValue(0);

        exchange.settle();
        assertThat(onLoop.isWritable()).isTrue();
        assertThat(resumed).hasValue(1);
        onLoop.end();
    }
}
