package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.DirectMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Flow control of the proxy: bodies larger than its buffers, and responses before the end of the request. */
class FlowIT {
    private static final int LARGE = 100_000_000;
    private static final int MANY = 200_000_000;
    private static final int PART = 1_000_000;
    /** The bound of held memory in both directions, far below the bodies and above the bounds of each. */
    private static final long MOST_HELD_OF_MANY = 1 << 20;
    /** The largest body that is kept for another attempt. */
    private static final int KEPT = 64 * 1024;
    private static final byte[] PIECE = new byte[10_000];
    /**
     * The bound of held memory: 64 KiB in flight, which are a write buffer of 16 KiB and a read of 48 KiB,
     * and 16 KiB for heads and for the sent part of a buffer.
     */
    private static final long MAX_HELD = (64 + 16) * 1024;
    private static final String SMALL_BUFFERS =
            "sluice.server { send-buffer = 64KiB, receive-buffer = 64KiB }\n";

    private static void write(OutputStream out, AtomicLong written, int bytes) throws IOException {
        while (written.get() < bytes) {
            out.write(PIECE);
            written.addAndGet(PIECE.length);
        }
    }

    /** Waits until one side can write no more, since the other one does not read. */
    private static void assertStalls(AtomicLong written, long memoryBefore) {
        var last = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(200)).atMost(Duration.ofSeconds(30))
                .until(() -> written.get() > 0 && last.getAndSet(written.get()) == written.get());
        assertThat(written.get()).isLessThan(LARGE / 2);
        assertThat(DirectMemory.ofProcess().used() - memoryBefore).isLessThan(MAX_HELD);
    }

    @Test
    void ofAResponseWaitsForASlowClient() throws Exception {
        var written = new AtomicLong();
        try (var proxy = ProxyBed.start(SMALL_BUFFERS, ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
            write(origin.socket().getOutputStream(), written, LARGE);
            origin.hold();
        })); RawClient client = new RawClient(proxy.gateway().port(), 64 * 1024)) {
            long before = DirectMemory.ofProcess().used();
            client.send(request("GET", "/"));
            assertStalls(written, before);
            assertThat(client.read().content()).hasSize(LARGE);
            await().untilAsserted(() -> assertThat(proxy.endpoint().inFlight()).isZero());
        }
    }

    @Test
    void ofARequestWaitsForASlowOrigin() throws Exception {
        var read = new CountDownLatch(1);
        var written = new AtomicLong();
        try (var proxy = ProxyBed.start(SMALL_BUFFERS, ByteOrigin.withSmallBuffer(origin -> {
            origin.head();
            read.await();
            origin.socket().getInputStream();
            long left = LARGE;
            while (left > 0) {
                left -= origin.read((int) Math.min(left, 1_000_000)).length();
            }
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").hold();
        })); RawClient client = new RawClient(proxy.gateway().port(), 64 * 1024)) {
            long before = DirectMemory.ofProcess().used();
            client.send(request("PUT", "/", "Content-Length: " + LARGE));
            var upload = CompletableFuture.runAsync(() -> {
                try {
                    write(client.socket().getOutputStream(), written, LARGE);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }, Thread::startVirtualThread);
            assertStalls(written, before);
            read.countDown();
            assertThat(client.read().status()).isEqualTo(200);
            upload.get(10, TimeUnit.SECONDS);
        }
    }

    /** Both bodies at once; what is in flight does not grow with them. */
    @Test
    void ofManyBytesInBothDirectionsHoldsFew() throws Exception {
        long before = DirectMemory.ofProcess().used();
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            var response = Thread.startVirtualThread(() -> {
                try {
                    origin.send("HTTP/1.1 200 OK\r\nContent-Length: " + MANY + "\r\n\r\n");
                    write(origin.socket().getOutputStream(), new AtomicLong(), MANY);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            for (long left = MANY; left > 0; left -= PART) {
                origin.read(PART);
            }
            response.join();
            origin.hold();
        })); RawClient client = proxy.connect()) {
            client.send(request("PUT", "/", "Content-Length: " + MANY));
            var upload = CompletableFuture.runAsync(() -> {
                try {
                    write(client.socket().getOutputStream(), new AtomicLong(), MANY);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }, Thread::startVirtualThread);
            assertThat(client.readHead().status()).isEqualTo(200);
            long most = 0;
            for (long left = MANY; left > 0; left -= PART) {
                assertThat(client.read(PART)).hasSize(PART);
                most = Math.max(most, DirectMemory.ofProcess().used() - before);
            }
            upload.get(30, TimeUnit.SECONDS);
            assertThat(most).isLessThan(MOST_HELD_OF_MANY);
            await().untilAsserted(() -> assertThat(proxy.endpoint().inFlight()).isZero());
            await().untilAsserted(() -> assertThat(DirectMemory.ofProcess().used() - before)
                    .isLessThan(MAX_HELD));
        }
    }

    /** It is kept for another attempt, in direct memory, so that it counts where that is short. */
    @Test
    void ofAShortBodyEndsWithTheResponse() throws Exception {
        int requests = 10;
        var responses = new CountDownLatch(1);
        String body = "a".repeat(KEPT);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            responses.await();
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").hold();
        }))) {
            long before = DirectMemory.ofProcess().used();
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                clients.add(proxy.connect().send(request("PUT", "/", "Content-Length: " + KEPT) + body));
            }
            await().until(() -> proxy.origin().requests().size() == requests);
            assertThat(DirectMemory.ofProcess().used() - before).isGreaterThanOrEqualTo(requests * KEPT);
            responses.countDown();
            for (RawClient client : clients) {
                assertThat(client.readHead().status()).isEqualTo(200);
            }
            assertThat(DirectMemory.ofProcess().used() - before).isLessThan(requests * KEPT / 2);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void ofARequestNeedNotEndBeforeTheResponseDoes() throws Exception {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            String head = origin.head();
            origin.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno");
            if (head.startsWith("POST")) {
                origin.drain();
            }
        })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/", "Content-Length: 300000") + "a".repeat(100_000));
            assertThat(client.read().body()).isEqualTo("no");
            await().until(() -> proxy.origin().open() == 0);
            client.send("a".repeat(200_000) + request("GET", "/"));
            assertThat(client.read().body()).isEqualTo("no");
            assertThat(proxy.origin().connections()).isEqualTo(2);
        }
    }

    @Test
    void ofARequestGoesOnWhileTheResponseIsStreamed() throws Exception {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 5; i++) {
                origin.send("2\r\n" + origin.read(2) + "\r\n");
            }
            origin.send("0\r\n\r\n").hold();
        })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/", "Content-Length: 10"));
            InputStream in = client.socket().getInputStream();
            var got = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                client.send("a" + i);
                while (!got.toString().endsWith("a" + i + "\r\n")) {
                    got.append((char) in.read());
                }
            }
            assertThat(new String(in.readNBytes(5))).isEqualTo("0\r\n\r\n");
        }
    }

    /**
     * The origin closes with unread bytes of the request, so its kernel sends a reset behind the response.
     */
    @RepeatedTest(10)
    void ofAResponseIsNotHiddenByAResetBehindIt() throws Exception {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            origin.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
        })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/", "Content-Length: 10000000"));
            var upload = CompletableFuture.runAsync(() -> {
                try {
                    client.send(new byte[10_000_000]);
                } catch (IOException _) {
                    // the gateway may have closed the connection
                }
            }, Thread::startVirtualThread);
            assertThat(client.read().body()).isEqualTo("big");
            upload.get(10, TimeUnit.SECONDS);
        }
    }
}
