package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.config.PoolConfig;
import io.sluice.config.SpillConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Share;
import io.sluice.config.type.WritableDirectory;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.spill.Spill;
import io.sluice.offload.spill.SpillException;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On one thread, but for the pool that is full: what is read has been read when the loop goes on. */
class SpilledBodyTest {
    private static final int BLOCK = 64 * 1024;
    private static final byte[] BYTES = new byte[20 * BLOCK + 7];
    private static final Duration LONG = Duration.ofHours(1);
    private static final PoolConfig ONE_WORKER = PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 0, LONG);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final RecordedExchange exchange = new RecordedExchange(LONG);
    private final Offload atOnce = Offload.start("loop", new PoolConfig(PoolConfig.Kind.PLATFORM,
            PoolConfig.Execution.EVENT_LOOP, 1, 0, LONG, new Share(50), LONG), PoolObserver.NONE);
    @TempDir
    private Path directory;
    private SpillSpace space;

    @BeforeEach
    void open() {
        new Random(1).nextBytes(BYTES);
        exchange.loop = channel.eventLoop();
        space = new SpillSpace(new SpillConfig(
                Optional.of(new WritableDirectory(directory)), new ByteSize(100 * BLOCK)));
    }

    @AfterEach
    void close() throws IOException {
        exchange.release();
        space.close();
        channel.close();
    }

    private void send(Offload readers) {
        send(BYTES, readers);
    }

    private void send(byte[] bytes, Offload readers) {
        Spill spill = space.begin(exchange.clientNetwork());
        spill.write(Unpooled.wrappedBuffer(bytes));
        new SpilledBody(exchange, exchange, spill, readers).send();
    }

    private void requireAll(byte[] bytes) {
        assertThat(ByteBufUtil.getBytes(exchange.body)).isEqualTo(bytes);
        assertThat(exchange.ended).isTrue();
        assertThat(space.used()).isZero();
    }

    @Test
    void aFastClientGetsAllOfItByItself() {
        send(atOnce);

        requireAll(BYTES);
    }

    @Test
    void aSlowClientIsReadForOnlyAsItTakesMore() {
        exchange.narrow = true;
        send(atOnce);
        for (int pieces = 1; pieces <= 20; pieces++) {
            assertThat(exchange.body.readableBytes()).isEqualTo(pieces * BLOCK);
            assertThat(exchange.ended).isFalse();
            exchange.becomeWritable();
        }
        exchange.becomeWritable();

        requireAll(BYTES);
    }

    @Test
    void aClientThatGoesAwayFreesTheSpace() {
        exchange.narrow = true;
        send(atOnce);
        exchange.onAbort.run();
        exchange.becomeWritable();

        assertThat(exchange.body.readableBytes()).isEqualTo(BLOCK);
        assertThat(exchange.ended).isFalse();
        assertThat(space.used()).isZero();
    }

    @Test
    void aDiskThatFailsEndsTheAnswer() throws IOException {
        exchange.writable = false;
        send(atOnce);
        space.close();
        exchange.becomeWritable();

        assertThat(exchange.failure).isInstanceOf(SpillException.class);
        assertThat(exchange.ended).isFalse();
        assertThat(space.used()).isZero();
        assertThat(space.refused()).isOne();
    }

    @Test
    void aPoolThatIsFullIsAskedAgainLater() {
        byte[] oneTurn = Arrays.copyOf(BYTES, 3 * BLOCK);
        try (var pool = Offload.start("spill", ONE_WORKER, PoolObserver.NONE)) {
            var busy = new CountDownLatch(1);
            pool.submit(Deadline.after(LONG), GlobalEventExecutor.INSTANCE, _ -> {
                busy.await();
                return null;
            });
            send(oneTurn, pool);
            busy.countDown();
            await().until(() -> pool.stats().busy() == 0);
            assertThat(exchange.body.isReadable()).isFalse();

            channel.advanceTimeBy(1, TimeUnit.HOURS);
            channel.runScheduledPendingTasks();
            await().until(() -> exchange.ended);
        }
        requireAll(oneTurn);
    }
}
