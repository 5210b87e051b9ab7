package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Flow control of {@code ws-rpc}: the number of concurrent requests, and clients that have to wait. */
class RpcFlowTest {
    private static final String WAIT = "{'path':'/wait'}";
    private static final String HELLO = "{'path':'/hello'}";

    private static final int PIECE = 32 * 1024;

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final RpcTestBed bed = new RpcTestBed(2, 1 << 20,
            route("/hello", exchange -> answer(exchange, "hello")),
            route("/wait", waiting::add));

    @AfterEach
    void close() {
        bed.close();
    }

    private void answerOne() {
        answer(waiting.remove(), "done");
        assertThat(bed.answer()).contains("done");
    }

    @Test
    void requestsBeyondTheConcurrencyWait() {
        bed.send(HELLO, WAIT, HELLO, WAIT, WAIT, WAIT, HELLO);
        assertThat(bed.answer()).contains("hello");
        assertThat(bed.answer()).contains("hello");
        assertThat(waiting).hasSize(2);
        assertThat(bed.socket.paused).isTrue();
        assertThat(bed.socket.requests).isEqualTo(2);

        answerOne();
        await().until(() -> waiting.size() == 2);
        assertThat(bed.socket.paused).isTrue();
        answerOne();
        await().until(() -> waiting.size() == 2);
        assertThat(bed.ended).hasSize(4);

        answerOne();
        assertThat(bed.answer()).contains("hello");
        answerOne();
        await().untilAsserted(() -> assertThat(bed.socket.paused).isFalse());
        assertThat(bed.socket.requests).isZero();
    }

    @Test
    void aClientThatDoesNotReadIsNotServedOn() {
        bed.send(WAIT);
        bed.socket.writable(false);
        bed.send(HELLO, HELLO, WAIT);
        answer(waiting.remove(), "done");
        bed.settle();
        assertThat(bed.socket.paused).isTrue();
        assertThat(bed.socket.sent).isEmpty();

        bed.socket.writable(true);

        assertThat(bed.answer()).contains("hello");
        assertThat(bed.answer()).contains("done");
        assertThat(bed.answer()).contains("hello");
        await().until(() -> waiting.size() == 1);
        assertThat(bed.socket.paused).isFalse();
        answerOne();
    }

    @Test
    void aClientThatReadsAgainIsStillServedNoMoreThanTheMost() {
        bed.send(WAIT, WAIT, HELLO);
        bed.socket.writable(false);
        bed.socket.writable(true);

        assertThat(bed.socket.paused).isTrue();
        answerOne();
        assertThat(bed.answer()).contains("hello");
        answerOne();
    }

    @Test
    void requestsThatHoldLargeBodiesWaitForEachOther() {
        try (var wide = new RpcTestBed(100, 1 << 20, route("/wait", waiting::add))) {
            String[] messages = new String[20];
            Arrays.fill(messages, "{'path':'/wait','body':'" + "a".repeat(1_000_000) + "'}");
            wide.send(messages);
            await().until(() -> waiting.size() == 5 && wide.socket.paused);

            for (int i = 0; i < messages.length; i++) {
                await().until(() -> !waiting.isEmpty());
                assertThat(waiting).hasSizeLessThanOrEqualTo(5);
                answer(waiting.remove(), "done");
                assertThat(wide.answer()).contains("done");
            }
            await().until(() -> !wide.socket.paused);
        }
    }

    /** Each has a worker, which waits as long as the stream is not writable. */
    @Test
    void streamsWaitForAClientThatDoesNotReadThem() {
        int streams = 100;
        int size = 1_000_000;
        var written = new AtomicLong();
        try (var wide = new RpcTestBed(streams, 1 << 20, route("/stream", exchange ->
                Thread.ofVirtual().start(() -> stream(exchange, size, written))))) {
            String[] messages = new String[streams];
            Arrays.fill(messages, "{'path':'/stream'}");
            wide.socket.onLoop(() -> {
                wide.send(messages);
                wide.socket.writable(false);
            });
            await().during(Duration.ofMillis(300)).untilAsserted(() -> assertThat(written.get())
                    .isBetween(4L << 20, (6L << 20) + streams * PIECE));
            assertThat(wide.socket.listener().holdsOutput()).isTrue();

            wide.socket.writable(true);

            for (int i = 0; i < streams; i++) {
                assertThat(wide.answer()).hasSizeGreaterThan(size);
            }
            await().untilAsserted(() -> assertThat(wide.socket.paused).isFalse());
            assertThat(wide.socket.listener().holdsOutput()).isFalse();
        }
    }

    private static void stream(Exchange exchange, int size, AtomicLong written) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        var woken = new Semaphore(0);
        stream.onWritable(woken::release);
        for (int at = 0; at < size; at += PIECE) {
            while (!stream.isWritable()) {
                woken.acquireUninterruptibly();
            }
            int length = Math.min(PIECE, size - at);
            stream.write(exchange.alloc().buffer(length).writeBytes("a".repeat(length).getBytes()));
            written.addAndGet(length);
        }
        stream.end();
    }

    @Test
    void wholeResponsesThatAreNotReadAreRefusedAtLast() {
        try (var wide = new RpcTestBed(100, 1 << 20, route("/wait", waiting::add))) {
            String[] messages = new String[20];
            Arrays.fill(messages, WAIT);
            wide.send(messages);
            wide.socket.writable(false);
            String large = "a".repeat(1_000_000);
            waiting.forEach(exchange -> answer(exchange, large));
            wide.settle();

            wide.socket.writable(true);

            for (int i = 0; i < messages.length; i++) {
                assertThat(wide.answer()).startsWith("{'id':null,'status':" + (i < 17 ? 200 : 503));
            }
        } finally {
            waiting.clear();
        }
    }

    @Test
    void thousandsInOneGoAreAnsweredWithoutAnEnd() {
        String[] messages = new String[20_000];
        Arrays.setAll(messages, i -> "{'id':" + i + ",'path':'/hello'}");
        bed.send(messages);

        for (int i = 0; i < messages.length; i++) {
            assertThat(bed.answer()).startsWith("{'id':" + i + ",");
        }
    }

    @Test
    void aBinaryMessageEndsTheSocket() {
        ByteBuf message = Unpooled.EMPTY_BUFFER;
        bed.socket.onLoop(() -> bed.socket.listener().binary(bed.socket, message));

        assertThat(bed.socket.closedWith).isEqualTo(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
    }
}
