package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flow control between an HTTP/2 endpoint, the gateway and a client that is slower. */
@Timeout(120)
class Http2UpstreamFlowIT {
    private static final String END = "\r\nHost: a\r\n\r\n";

    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(origin.port()));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    @Test
    void holdsBackTheResponseOfASlowClientOnly() throws Exception {
        int size = 64 << 20;
        try (var slow = new RawClient(gateway.port(), 16 * 1024); RawClient quick = gateway.connect()) {
            slow.send("GET /slow HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameClient.headers(3, false, ":status", "200", "content-length", "" + size));
            var credit = new Credit(connection, connection.await(Frame.WINDOW_UPDATE, 0).number());
            var sent = new AtomicLong();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                String piece = "x".repeat(16 * 1024);
                for (long left = size; left > 0; left -= piece.length()) {
                    credit.spend(3, piece.length());
                    connection.sendNow(FrameClient.data(3, left == piece.length(), piece));
                    sent.addAndGet(piece.length());
                }
            });
            CompletableFuture<Void> reading = CompletableFuture.runAsync(credit::read);
            awaitStandstill(sent);
            assertThat(sent.get()).isLessThan(8L << 20);
            quick.send("GET /quick HTTP/1.1" + END);
            credit.awaitHead(5);
            connection.sendNow(FrameOrigin.answer(5, "quick"));
            assertThat(quick.read().body()).isEqualTo("quick");
            assertThat(slow.read().content()).hasSize(size);
            sending.get();
            connection.close();
            reading.exceptionally(_ -> null).get();
        }
    }

    /** An endpoint that gives no credit holds back the client's upload. */
    @Test
    void holdsBackARequestThatTheEndpointDoesNotRead() throws Exception {
        int size = 64 << 20;
        try (var client = new RawClient(gateway.port(), 16 * 1024)) {
            var sent = new AtomicLong();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
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
            });
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            awaitStandstill(sent);
            assertThat(sent.get()).isLessThan(8L << 20);
            connection.send(Frame.windowUpdate(0, size), Frame.windowUpdate(3, size));
            assertThat(connection.body(3)).hasSize(size);
            connection.send(FrameOrigin.answer(3, "received"));
            assertThat(client.read().body()).isEqualTo("received");
            sending.get();
        }
    }

    /** Waits until more than a window has been sent, and then nothing for a while. */
    private static void awaitStandstill(AtomicLong sent) {
        var last = new AtomicLong(-1);
        Awaitility.await().pollInterval(Duration.ofMillis(500)).atMost(Duration.ofSeconds(60))
                .until(() -> sent.get() > 64 * 1024 && last.getAndSet(sent.get()) == sent.get());
    }

    /** The flow-control windows for what a test sends (RFC 9113 section 6.9). */
    private static final class Credit {
        private final FrameClient connection;
        private final Map<Integer, Integer> windows = new HashMap<>();
        private final List<Integer> heads = new ArrayList<>();

        /**
         * The windows at the beginning of a connection.
         *
         * @param more by which that of the connection has been widened
         */
        Credit(FrameClient connection, int more) {
            this.connection = connection;
            windows.put(0, 65_535 + more);
        }

        synchronized void spend(int stream, int bytes) {
            while (windows.get(0) < bytes || windows.getOrDefault(stream, 65_535) < bytes) {
                await();
            }
            windows.merge(0, -bytes, Integer::sum);
            windows.merge(stream, 65_535 - bytes, (window, _) -> window - bytes);
        }

        synchronized void awaitHead(int stream) {
            while (!heads.contains(stream)) {
                await();
            }
        }

        private void await() {
            try {
                wait(60_000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Reads all frames until the end. */
        void read() {
            try {
                while (true) {
                    add(connection.read());
                }
            } catch (IOException e) {
                // the test is over
            }
        }

        private synchronized void add(Frame frame) {
            if (frame.is(Frame.WINDOW_UPDATE)) {
                windows.merge(frame.stream(), 65_535 + frame.number(),
                        (window, _) -> window + frame.number());
            } else if (frame.is(Frame.HEADERS)) {
                heads.add(frame.stream());
            }
            notifyAll();
        }
    }
}
