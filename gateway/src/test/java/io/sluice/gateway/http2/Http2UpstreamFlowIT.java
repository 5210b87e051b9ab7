package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.limits.DirectMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow control between HTTP/2 endpoints, the gateway, and its clients, with one slow side. */
@Timeout(120)
class Http2UpstreamFlowIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int SIZE = 4 << 20;
    private static final int WINDOW = 64 * 1024;
    /** The bytes of a body in the gateway: a write buffer, and a read buffer or a window. */
    private static final int MAX_IN_FLIGHT = 96 * 1024;
    /** The memory of these bytes. It is larger, since a frame keeps the whole buffer of its read. */
    private static final int MAX_HELD = 2 * MAX_IN_FLIGHT;
    /** The limit of CPU time, twice the bound of a task, as these processors are shared. */
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int SMALL_FRAMES = 60_000;
    private static final int STREAMS = 5;
    private static final String END = "\r\nHost: a\r\n\r\n";

    private FrameOrigin origin;
    private RunningGateway gateway;
    private long before;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = gateway("send-buffer = 64KiB, receive-buffer = 64KiB");
        before = DirectMemory.ofProcess().used();
    }

    private RunningGateway gateway(String server) {
        return RunningGateway.start("""
                sluice {
                  server { worker-threads = 1, %s }
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin, max-body = 1GiB }
                }
                """.formatted(server, origin.port()));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    /**
     * Waits until the sender makes no progress, and checks the bytes that it has sent and the gateway holds.
     */
    private void assertStalls(AtomicLong sent, int mostSent, int mostHeld) {
        var last = new AtomicLong(-1);
        Awaitility.await().pollInterval(Duration.ofMillis(200)).atMost(Duration.ofSeconds(60))
                .until(() -> sent.get() > 0 && last.getAndSet(sent.get()) == sent.get());
        assertThat(DirectMemory.ofProcess().used() - before).isLessThan(mostHeld);
        assertThat(sent.get()).isLessThan(mostSent);
    }

    private WindowedSender answers(FrameClient connection) throws IOException {
        connection.await(Frame.HEADERS, 3);
        connection.send(FrameClient.headers(3, false, ":status", "200", "content-length", "" + SIZE));
        return new WindowedSender(connection, connection.await(Frame.WINDOW_UPDATE, 0).number());
    }

    @Test
    void holdsBackTheResponseOfASlowClientOnly() throws Exception {
        try (var slow = new RawClient(gateway.port(), 16 * 1024); RawClient quick = gateway.connect()) {
            slow.send("GET /slow HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            WindowedSender sender = answers(connection);
            CompletableFuture<Void> sending = sender.send(3, SIZE);
            assertStalls(sender.sent(), SIZE / 2, MAX_HELD); // includes bytes in buffers of the kernel
            quick.send("GET /quick HTTP/1.1" + END);
            assertThat(sender.head(5)).containsEntry(":path", "/quick");
            connection.sendNow(FrameOrigin.answer(5, "quick"));
            assertThat(quick.read().body()).isEqualTo("quick");
            assertThat(slow.read().content()).hasSize(SIZE);
            sending.get();
            connection.close();
        }
    }

    @Test
    void holdsBackTheResponseOfAStreamWithoutCredit() throws Exception {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.get(1, "/"));
            FrameClient connection = origin.accept();
            WindowedSender sender = answers(connection);
            CompletableFuture<Void> sending = sender.send(3, SIZE);
            assertStalls(sender.sent(), WINDOW + MAX_IN_FLIGHT, MAX_HELD);
            client.send(Frame.windowUpdate(0, SIZE), Frame.windowUpdate(1, SIZE));
            assertThat(client.answer(1).content()).hasSize(SIZE);
            sending.get();
            connection.close();
        }
    }

    /** Measures without the leak detector's records: a stack for each slice takes most of the time. */
    private void requireWithinBudget(LoopBudget.Attack attack) throws Exception {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try {
            gateway.loopBudget().requireBelow(BUDGET, attack);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    /** Frames of one byte each, of which a read holds thousands. */
    @Test
    void letsOthersHaveTheirTurnBesideSmallFrames() throws Exception {
        var clients = new ArrayList<RawClient>();
        try (RawClient first = gateway.connect()) {
            first.send("GET / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "first"));
            first.read();
            for (int i = 0; i < STREAMS; i++) {
                clients.add(gateway.connect());
            }
            var streams = new AtomicInteger(5);
            requireWithinBudget(() -> {
                var frames = new ArrayList<Frame>();
                for (RawClient client : clients) {
                    client.send("GET / HTTP/1.1" + END);
                    int stream = streams.getAndAdd(2);
                    connection.await(Frame.HEADERS, stream);
                    frames.add(FrameClient.headers(stream, false, ":status", "200"));
                    frames.addAll(Collections.nCopies(SMALL_FRAMES, FrameClient.data(stream, false, "x")));
                    frames.add(FrameClient.data(stream, true, ""));
                }
                connection.send(frames.toArray(Frame[]::new));
                for (RawClient client : clients) {
                    assertThat(client.read().content()).hasSize(SMALL_FRAMES);
                }
            });
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** An endpoint that grants no window holds back the client's upload. */
    @Test
    void holdsBackARequestThatTheEndpointDoesNotRead() throws Exception {
        try (var client = new RawClient(gateway.port(), 16 * 1024)) {
            var sent = new AtomicLong();
            CompletableFuture<Void> sending = upload(client, SIZE, sent);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            assertStalls(sent, SIZE / 2, MAX_HELD);
            connection.send(Frame.windowUpdate(0, SIZE), Frame.windowUpdate(3, SIZE));
            assertThat(connection.body(3)).hasSize(SIZE);
            connection.send(FrameOrigin.answer(3, "received"));
            assertThat(client.read().body()).isEqualTo("received");
            sending.get();
        }
    }

    private static CompletableFuture<Void> upload(RawClient client, int size, AtomicLong sent) {
        return CompletableFuture.runAsync(() -> {
            try {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + size + "\r\n\r\n");
                byte[] piece = new byte[16 * 1024];
                for (long left = size; left > 0; left -= piece.length) {
                    client.send(piece);
                    sent.addAndGet(piece.length);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }, Thread::startVirtualThread);
    }

    /** A large window is no reason to hold more of the upload, which can arrive in one turn of the loop. */
    @Test
    void holdsBackARequestWhoseEndpointGivesCreditButDoesNotRead() throws Exception {
        int large = 64 << 20;
        try (RunningGateway reading = gateway("receive-buffer = 1MiB");
                RawClient client = reading.connect()) {
            var sent = new AtomicLong();
            CompletableFuture<Void> sending = upload(client, large, sent);
            FrameClient connection = origin.accept(INITIAL_WINDOW_SIZE, large);
            connection.send(Frame.windowUpdate(0, large));
            assertStalls(sent, large, MAX_IN_FLIGHT);
            client.socket().close();
            sending.exceptionally(_ -> null).get();
            connection.close();
        }
    }

    @Test
    void givesNoCreditForARequestThatTheEndpointDoesNotRead() throws Exception {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.post(1, "/"));
            var sender = new WindowedSender(client, SIZE);
            CompletableFuture<Void> sending = sender.send(1, SIZE);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            assertStalls(sender.sent(), WINDOW + MAX_IN_FLIGHT, MAX_HELD);
            connection.send(Frame.windowUpdate(0, SIZE), Frame.windowUpdate(3, SIZE));
            assertThat(connection.body(3)).hasSize(SIZE);
            connection.send(FrameOrigin.answer(3, "received"));
            assertThat(sender.head(1)).containsEntry(":status", "200");
            sending.get();
        }
    }

    /** Many frames are under way when a client leaves; a reset for each would look like an attack. */
    @Test
    void discardsFramesOfStreamsThatItHasReset() throws Exception {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.get(1, "/"));
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "first"));
            client.answer(1);
            var streams = new AtomicInteger(3);
            requireWithinBudget(() -> {
                int stream = streams.getAndAdd(2);
                client.send(FrameClient.get(stream, "/"));
                connection.await(Frame.HEADERS, stream + 2);
                client.send(Frame.rst(stream, Frame.CANCEL));
                assertThat(connection.resetOf(stream + 2)).isEqualTo(Frame.CANCEL);
                Frame late = FrameClient.data(stream + 2, false, "x");
                var frames = new ArrayList<>(Collections.nCopies(SMALL_FRAMES, late));
                frames.add(FrameClient.headers(stream + 2, true, "Upper-Case", "malformed"));
                frames.add(Frame.ping());
                connection.send(frames.toArray(Frame[]::new));
                assertThat(connection.read().type()).isEqualTo(Frame.PING);
            });
            connection.close();
        }
    }

    /** An exception is made of each of them, of which a read holds thousands. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsFewFramesInErrorOfStreamsThatHaveEnded(boolean heads) throws Exception {
        requireWithinBudget(() -> {
            try (FrameClient client = FrameClient.greet(gateway.connect())) {
                client.send(FrameClient.get(1, "/"));
                FrameClient connection = origin.accept();
                connection.await(Frame.HEADERS, 3);
                client.send(FrameClient.get(3, "/"));
                connection.await(Frame.HEADERS, 5);
                connection.send(FrameOrigin.answer(3, "first"));
                client.answer(1);
                connection.send(Collections.nCopies(5000, heads ? FrameClient.headers(3, false, "A", "b")
                        : Frame.windowUpdate(3, 0)).toArray(Frame[]::new));
                assertThat(connection.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
                connection.close();
            }
        });
    }

    /** See RFC 9113 section 5.4.2. The rest of the request, which waits for credit, fails by the reset. */
    @Test
    void answersNoResetWithAReset() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n" + "a".repeat(100));
            FrameClient connection = origin.accept(INITIAL_WINDOW_SIZE, 10);
            connection.await(Frame.DATA, 3);
            connection.send(Frame.rst(3, Frame.CANCEL), Frame.ping());
            assertThat(connection.read().type()).isEqualTo(Frame.PING);
            assertThat(client.read().status()).isEqualTo(502);
            connection.close();
        }
    }
}
