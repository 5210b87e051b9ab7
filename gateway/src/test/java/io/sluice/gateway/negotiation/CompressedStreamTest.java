package io.sluice.gateway.negotiation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CompressedStreamTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicInteger closed = new AtomicInteger();
    private Runnable whileBusy = () -> { };
    private boolean ended;
    private final CompressedStream stream =
            new CompressedStream(exchange(), new Inner(), ContentCoding.GZIP, closed::incrementAndGet);

    /** Has an allocator, and no more. */
    private static Exchange exchange() {
        return (Exchange) Proxy.newProxyInstance(Exchange.class.getClassLoader(),
                new Class<?>[] {Exchange.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("alloc");
                    return PooledByteBufAllocator.DEFAULT;
                });
    }

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
        public boolean isWritable() {
            return true;
        }

        @Override
        public void onWritable(Runnable action) {
            action.run();
        }

        @Override
        public void end() {
            ended = true;
        }
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
        stream.end();
        stream.abandon();
        stream.write(text("too late"));

        assertThat(closed).hasValue(1);
        assertThat(ended).isTrue();
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

        new CompressedStream(exchange(), new Inner(), ContentCoding.GZIP, closed::incrementAndGet).abandon();
        assertThat(closed).hasValue(2);
    }
}
