package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.config.SpillConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.FakeResponse;
import io.sluice.handlers.ResponseStream;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers from spilled blocks. The pool reads inline, except in the test of a full pool. */
class SpilledBodyTest {
    private static final int BLOCK = 64 * 1024;
    private static final byte[] BYTES = new byte[20 * BLOCK + 7];
    private static final Duration LONG = Duration.ofHours(1);
    private static final PoolConfig ONE_WORKER = PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 0, LONG);

    private final FakeExchange exchange = new FakeExchange();
    private final Ticker clock = exchange.eventLoop().ticker();
    private final FakeResponse answer = exchange.answer();
    private final Offload atOnce = new InlineOffload();
    @TempDir
    private Path directory;
    private SpillSpace space;

    @BeforeEach
    void open() {
        new Random(1).nextBytes(BYTES);
        space = new SpillSpace(new SpillConfig(
                Optional.of(new WritableDirectory(directory)), new ByteSize(100 * BLOCK)));
    }

    @AfterEach
    void close() throws IOException {
        space.close();
    }

    private void send(Offload readers) {
        send(BYTES, readers);
    }

    private void send(byte[] bytes, Offload readers) {
        Spill spill = space.begin(exchange.clientNetwork());
        spill.write(Unpooled.wrappedBuffer(bytes));
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        new SpilledBody(exchange, stream, spill, readers, EmptyHttpHeaders.INSTANCE).send();
    }

    private void requireAll(byte[] bytes) {
        assertThat(answer.bytes()).isEqualTo(bytes);
        assertThat(answer.isWhole()).isTrue();
        assertThat(space.used()).isZero();
    }

    @Test
    void aFastClientGetsAllOfItByItself() {
        send(atOnce);

        requireAll(BYTES);
    }

    @Test
    void aSlowClientIsReadForOnlyAsItTakesMore() {
        answer.takeAtOnce(1);
        send(atOnce);
        for (int pieces = 1; pieces <= 20; pieces++) {
            assertThat(answer.bytes()).hasSize(pieces * BLOCK);
            assertThat(answer.isWhole()).isFalse();
            answer.readOn();
        }
        answer.readOn();

        requireAll(BYTES);
    }

    @Test
    void aClientThatGoesAwayFreesTheSpace() {
        answer.takeAtOnce(1);
        send(atOnce);
        exchange.leave();
        answer.readOn();

        assertThat(answer.bytes()).hasSize(BLOCK);
        assertThat(answer.isWhole()).isFalse();
        assertThat(space.used()).isZero();
    }

    @Test
    void aDiskThatFailsEndsTheAnswer() throws IOException {
        answer.stopReading();
        send(atOnce);
        space.close();
        answer.readOn();

        assertThat(exchange.failure()).isInstanceOf(SpillException.class);
        assertThat(answer.isWhole()).isFalse();
        assertThat(space.used()).isZero();
        assertThat(space.refused()).isPositive();
    }

    @Test
    void aPoolThatIsFullIsAskedAgainLater() {
        byte[] oneTurn = Arrays.copyOf(BYTES, 3 * BLOCK);
        try (var pool = Offload.start("spill", ONE_WORKER, PoolObserver.NONE, clock)) {
            var busy = new CountDownLatch(1);
            pool.submit(exchange.deadline(), exchange.eventLoop(), _ -> {
                busy.await();
                return null;
            });
            send(oneTurn, pool);
            busy.countDown();
            await().until(() -> pool.stats().busy() == 0);
            answer.readOn(); // the wait has begun, and goes on from the same byte
            exchange.settle();
            assertThat(answer.bytes()).isEmpty();

            exchange.pass(Duration.ofMinutes(1));
            await().pollInSameThread().until(() -> {
                exchange.settle();
                return answer.isWhole();
            });
        }
        requireAll(oneTurn);
    }
}
