package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 flow control: memory that a client can make the gateway hold, and independence of streams. */
class Http2FlowControlIT {
    private static final int PIECE = 32 * 1024;
    private static final int MANY = 640 * PIECE;
    private static final int WINDOW = 64 * 1024;
    private static final int[] LARGE_WINDOWS = {4, Integer.MAX_VALUE};

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger written = new AtomicInteger();
    private HandlerServer server;
    private long before;

    @BeforeEach
    void start() {
        server = HandlerServer.start(Map.of("sluice.server.send-buffer", "64KiB",
                        "sluice.server.receive-buffer", "64KiB", "sluice.http2.stream-buffer", "32KiB"),
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", waiting::add),
                route("/collect", exchange -> exchange.readBody(body ->
                        answer(exchange, String.valueOf(body.readableBytes())))),
                new Route("/swallow", PathTemplate.parse("/swallow"), Set.of(Method.POST), "test",
                        HandlerServer.limits(Duration.ofSeconds(60), MANY)
                                .around(Http2FlowControlIT::swallow)),
                route("/starved", this::starved),
                route("/pump", this::pump));
        before = Transport.ALLOCATOR.pinnedDirectMemory();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /**
     * Streams an answer from a thread of its own, which waits while the client does not read, as workers do.
     */
    private void pump(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        var wake = new Semaphore(0);
        var gone = new AtomicBoolean();
        exchange.onAbort(() -> gone.set(true));
        stream.onWritable(wake::release);
        Thread.ofVirtual().start(() -> {
            for (int i = 0; i < MANY && !gone.get(); i += PIECE) {
                byte[] bytes = new byte[PIECE];
                Arrays.fill(bytes, (byte) (i / PIECE));
                stream.write(exchange.alloc().directBuffer(PIECE).writeBytes(bytes));
                written.addAndGet(PIECE);
                while (!stream.isWritable() && !gone.get()) {
                    wake.acquireUninterruptibly();
                }
            }
            stream.end();
        });
    }

    /** A writer that is woken need not ask whether it may write more. */
    @Test
    void memoryThatIsBackWakesNoWriterWhoseClientDoesNotRead() throws Exception {
        var woken = new AtomicInteger();
        try (FrameClient client = FrameClient.connect(server, 4, 0).send(get(1, "/wait"))) {
            await().until(() -> !waiting.isEmpty());
            Exchange exchange = waiting.remove();
            exchange.eventLoop().execute(() -> {
                ResponseStream stream = exchange.stream(
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                stream.onWritable(woken::incrementAndGet);
                stream.write(exchange.alloc().directBuffer().writeZero(WINDOW));
            });
            server.settle();
            server.connections().memoryBack();
            server.settle();
            assertThat(woken).hasValue(0);

            client.send(Frame.windowUpdate(0, WINDOW), Frame.windowUpdate(1, WINDOW));
            await().until(() -> woken.get() > 0);
        }
    }

    /** Streams an answer when it becomes writable. The connection itself is writable all the time. */
    private void starved(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        stream.onWritable(() -> {
            stream.write(exchange.alloc().buffer().writeBytes("more".getBytes(StandardCharsets.US_ASCII)));
            stream.end();
        });
        written.incrementAndGet();
    }

    private static void swallow(Exchange exchange) {
        var length = new AtomicInteger();
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                length.addAndGet(content.readableBytes());
                content.release();
                // pauses, and resumes in the next task
                exchange.eventLoop().execute(exchange::resumeBody);
                return false;
            }

            @Override
            public void end(HttpHeaders trailers) {
                answer(exchange, length.toString());
            }
        });
    }

    @Test
    void anAnswerToAClientThatDoesNotReadTakesLittleMemory() throws Exception {
        try (var socket = new RawClient(server.port(), WINDOW)) {
            FrameClient client = FrameClient.greet(socket, LARGE_WINDOWS);
            client.send(Frame.windowUpdate(0, 1 << 30), get(1, "/pump"));
            awaitStandstill();

            assertThat(held()).isLessThan(10 * WINDOW);
            assertPumped(client.answer(1).content());
        }
    }

    @Test
    void clientThatDoesNotReadGoAwayIsClosed() throws Exception {
        try (var socket = new RawClient(server.port(), WINDOW)) {
            FrameClient client = FrameClient.greet(socket, LARGE_WINDOWS);
            client.send(Frame.windowUpdate(0, 1 << 30), get(1, "/pump"));
            awaitStandstill();
            client.send(Frame.windowUpdate(0, 0));

            await().until(() -> server.connections().count() == 0);
        }
        await().until(() -> held() < WINDOW);
    }

    @Test
    void anAnswerComesAsTheClientsWindowAllows() throws Exception {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/pump"));
            awaitStandstill();
            assertThat(written.get()).isLessThan(4 * WINDOW);
            assertThat(held()).isLessThan(4 * WINDOW);

            client.assertAlive(3, Frame.windowUpdate(0, 1 << 30));
            client.send(Frame.windowUpdate(1, 1 << 30));
            assertPumped(client.answer(1).content());
        }
    }

    @Test
    void unreadResponsesHoldABoundedAmountEach() throws Exception {
        try (FrameClient client = FrameClient.connect(server, 4, 0)) {
            for (int stream = 1; stream < 101; stream += 2) {
                client.send(get(stream, "/pump"));
            }
            await().until(() -> written.get() >= 50 * PIECE);
            awaitStandstill();
            assertThat(written.get()).isEqualTo(50 * PIECE);
            assertThat(held()).isLessThan(50 * 2 * PIECE);

            client.send(Frame.windowUpdate(0, 1 << 30), get(101, "/"), Frame.windowUpdate(101, 5));
            assertThat(client.answer(101).body()).isEqualTo("hello");
        }
        await().until(() -> held() < WINDOW);
    }

    @Test
    void aWriterThatWaitsForMemoryGoesOnWhenThereIsSome() throws Exception {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/starved"));
            await().until(() -> written.get() > 0);
            server.connections().memoryBack();

            assertThat(client.answer(1).body()).isEqualTo("more");
        }
    }

    @Test
    void unreadBodiesDoNotBlockOtherStreams() throws Exception {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int stream = 1; stream < 41; stream += 2) {
                client.send(post(stream, "/wait"));
                for (int sent = 0; sent < WINDOW; sent += 8192) {
                    client.send(data(stream, false, "a".repeat(8192)));
                }
            }
            client.send(post(41, "/collect"), data(41, true, "a".repeat(16_000)));
            assertThat(client.answer(41).body()).isEqualTo("16000");
            assertThat(held()).isLessThan(20 * 3 * WINDOW);

            client.send(data(1, false, "a"));
            assertThat(client.resetOf(1)).isEqualTo(Frame.FLOW_CONTROL_ERROR);
            client.assertAlive(43);
        }
        await().until(() -> held() < WINDOW);
    }

    @Test
    void aBodyInCrumbsTakesNoMoreThanItsBytes() throws Exception {
        var crumbs = new Frame[20_000];
        Arrays.fill(crumbs, data(1, false, "a"));
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(1, "/wait")).send(crumbs).assertAlive(3);

            assertThat(held()).isLessThan(2 * WINDOW);
            waiting.remove().readBody(body -> written.set(body.readableBytes()));
            client.send(data(1, true, "b"));
            await().until(() -> written.get() == 20_001);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255})
    void aLargeBodyComesAsItIsRead(int padding) throws Exception {
        try (FrameClient client = FrameClient.connect(server)) {
            int size = padding == 0 ? 16_000 : 100;
            byte[] payload = new byte[size + (padding > 0 ? 1 + padding : 0)];
            payload[0] = (byte) padding;
            client.send(post(1, "/swallow"));
            int window = WINDOW;
            for (int i = 0; i < 1000; i++) {
                for (; window < payload.length; window += client.await(Frame.WINDOW_UPDATE, 1).number()) {
                    assertThat(held()).isLessThan(4 * WINDOW);
                }
                client.send(new Frame(Frame.DATA, padding > 0 ? 8 : 0, 1, payload));
                window -= payload.length;
            }
            client.send(data(1, true, ""));

            assertThat(client.answer(1).body()).isEqualTo(String.valueOf(1000 * size));
        }
    }

    private long held() {
        return Transport.ALLOCATOR.pinnedDirectMemory() - before;
    }

    private void awaitStandstill() {
        var last = new AtomicInteger(-1);
        await().during(Duration.ofMillis(400)).until(() -> {
            int now = written.get();
            return now > 0 && last.getAndSet(now) == now;
        });
    }

    private static void assertPumped(byte[] content) {
        assertThat(content).hasSize(MANY);
        for (int at = 0; at < MANY; at += PIECE / 2) {
            assertThat(content[at]).isEqualTo((byte) (at / PIECE));
        }
    }
}
