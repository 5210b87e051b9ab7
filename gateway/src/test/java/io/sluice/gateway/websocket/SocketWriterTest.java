package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.TunnelConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketWriterTest {
    private static final String PING = "8900";
    private static final int LONG = 1_000_000;

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext ctx = channel.pipeline().firstContext();
    /** Its event loop has the turns of long frames. */
    private final EmbeddedChannel turns = new EmbeddedChannel();
    private final AtomicInteger writableAgain = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final SocketWriter writer = new SocketWriter(new Connection(), new MessageEncoding(15, 1024),
            writableAgain::incrementAndGet);

    @BeforeEach
    void takeLittle() {
        channel.config().setWriteBufferLowWaterMark(100).setWriteBufferHighWaterMark(200);
    }

    @AfterEach
    void finish() {
        writer.release();
        channel.finishAndReleaseAll();
        turns.close();
    }

    @Test
    void flushesOnceForWhatAReadHasCaused() {
        writer.onReadStart();
        writer.message(true, text("a"));
        writer.ping();
        writer.close(WebSocketCloseStatus.EMPTY);
        assertThat(sent()).isEmpty();

        writer.onReadEnd();
        assertThat(sent()).containsExactly("810161", PING, "8800");

        writer.message(false, text("b"));
        assertThat(sent()).containsExactly("820162");
    }

    @Test
    void answersTheNewestPingOfAClientThatReadsAgain() {
        fill();
        writer.pong(text("1"));
        writer.pong(text("2"));
        assertThat(drain()).isEmpty();

        writer.writable();
        writer.writable();
        assertThat(sent()).containsExactly("8a0132");
    }

    @Test
    void answersTheNewestOfManyPingsAtTheEndOfARead() {
        channel.config().setWriteBufferHighWaterMark(1 << 20);
        writer.onReadStart();
        for (int i = 0; i < 100; i++) {
            writer.pong(text("1"));
        }
        writer.pong(text("2"));
        writer.onReadEnd();
        assertThat(sent()).hasSize(17).endsWith("8a0132");

        writer.pong(text("3"));
        assertThat(sent()).containsExactly("8a0133");
    }

    @Test
    void answersNoPingThatIsOlderThanOneItHasAnswered() {
        fill();
        writer.pong(text("1"));
        assertThat(drain()).isEmpty();
        writer.pong(text("2"));
        writer.writable();

        assertThat(sent()).containsExactly("8a0132");
    }

    @Test
    void pingsAClientAsSoonAsItReadsAgain() {
        fill();
        writer.ping();
        writer.ping();
        assertThat(drain()).isEmpty();

        writer.writable();
        writer.writable();
        assertThat(sent()).containsExactly(PING);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 1023, 1024, 1025, 65_535, 65_536, 65_537})
    void ownsWhatItSends(int size) {
        ByteBuf message = ctx.alloc().buffer(Math.max(1, size)).writeZero(size);
        writer.message(false, message);

        long bytes = 0;
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            bytes += part.readableBytes();
            part.release();
        }
        assertThat(message.refCnt()).isZero();
        if (size < 1024 || size > 65_536) {
            assertThat(bytes).isEqualTo(size + FrameEncoder.headerLength(size));
        } else {
            assertThat(bytes).isLessThan(size / 20 + 100);
        }
    }

    @Test
    void otherFramesWaitBehindALongOne() {
        channel.config().setWriteBufferHighWaterMark(8 << 20);
        writer.message(false, ctx.alloc().buffer().writeZero(LONG));
        writer.message(true, text("a"));
        writer.pong(text("1"));
        assertThat(writer.isWritable()).isFalse();
        List<String> sent = sent();
        assertThat(sent).hasSize(2);

        while (writableAgain.get() == 0) {
            turns.runScheduledPendingTasks();
        }
        writer.writable();
        sent.addAll(sent());
        assertThat(sent).endsWith("810161", "8a0131");
        assertThat(String.join("", sent)).hasSize(2 * (10 + LONG + 3 + 3));
    }

    @Test
    void closesBehindALongFrame() {
        writer.message(false, ctx.alloc().buffer().writeZero(LONG));
        writer.close(WebSocketCloseStatus.EMPTY);
        writer.closeWhenWritten();
        assertThat(closed).hasValue(0);

        while (closed.get() == 0) {
            turns.runScheduledPendingTasks();
        }
        assertThat(sent()).endsWith("8800");
    }

    @Test
    void writesAllAtOnceBeforeAForcedClose() {
        writer.message(false, ctx.alloc().buffer().writeZero(LONG));
        writer.close(WebSocketCloseStatus.EMPTY);
        writer.closeWhenWritten();
        writer.writeAll();
        assertThat(sent()).endsWith("8800");
        assertThat(closed).hasValue(1);
        turns.runScheduledPendingTasks();
        assertThat(closed).hasValue(1);
    }

    @Test
    void dropsTheRestOfALongFrame() {
        ByteBuf message = ctx.alloc().buffer().writeZero(LONG);
        writer.message(false, message);
        sent();
        writer.drop();
        assertThat(message.refCnt()).isZero();
        turns.runScheduledPendingTasks();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    /** Makes the channel unwritable until it is flushed. */
    private void fill() {
        ctx.write(Unpooled.buffer().writeZero(300));
        assertThat(channel.isWritable()).isFalse();
    }

    private List<String> drain() {
        channel.flush();
        channel.<ByteBuf>readOutbound().release();
        return sent();
    }

    private List<String> sent() {
        var sent = new ArrayList<String>();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            var hex = new StringBuilder();
            part.forEachByte(one -> hex.append("%02x".formatted(one)) != null);
            sent.add(hex.toString());
            part.release();
        }
        return sent;
    }

    /** A connection that writes to the channel, and supports nothing else. */
    private final class Connection implements TunnelConnection {

        @Override
        public EventExecutor eventLoop() {
            return turns.eventLoop();
        }

        @Override
        public ByteBufAllocator alloc() {
            return ctx.alloc();
        }

        @Override
        public void write(ByteBuf bytes) {
            ctx.write(bytes);
        }

        @Override
        public void flush() {
            ctx.flush();
        }

        @Override
        public boolean isWritable() {
            return channel.isWritable();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }

        @Override
        public boolean isAdmitted() {
            throw new AssertionError("not for the writer of messages");
        }

        @Override
        public long taken() {
            throw new AssertionError("not for the writer of messages");
        }

        @Override
        public void pause() {
            throw new AssertionError("not for the writer of messages");
        }

        @Override
        public void resume() {
            throw new AssertionError("not for the writer of messages");
        }

        @Override
        public void shutdownOutput() {
            throw new AssertionError("not for the writer of messages");
        }


        @Override
        public void reset() {
            throw new AssertionError("not for the writer of messages");
        }
    }
}
