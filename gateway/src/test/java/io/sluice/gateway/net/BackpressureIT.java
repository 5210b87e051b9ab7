package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.http.EchoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Back-pressure: memory that a client can make the gateway hold if it does not read, or sends too much. */
class BackpressureIT {
    private static final int MANY = 20 * 1024 * 1024;
    /**
     * Far less than the sent bytes, and more than watermarks, read buffers and the allocator's caches hold.
     */
    private static final long FEW = 2 * 1024 * 1024;

    private final CompletableFuture<Exchange> first = new CompletableFuture<>();
    private HandlerServer server;
    private long before;

    @BeforeEach
    void start() {
        server = HandlerServer.withSmallBuffers(
                route("/", exchange -> answer(exchange, "a".repeat(1000))),
                route("/wait", exchange -> {
                    if (!first.complete(exchange)) {
                        answer(exchange, "a");
                    }
                }),
                route("/pump", BackpressureIT::pump),
                new Route("echo", PathTemplate.parse("/echo"), Set.of(Method.POST), "echo",
                        HandlerServer.limits(Duration.ofSeconds(60), MANY).around(new EchoHandler())));
        before = Transport.ALLOCATOR.pinnedDirectMemory();
    }

    /** Streams an answer while it is writable, also from within the event that it is writable again. */
    private static void pump(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        var left = new AtomicLong(MANY / 4);
        Runnable write = () -> {
            while (left.get() > 0 && stream.isWritable()) {
                stream.write(exchange.alloc().buffer(4096).writeBytes(bytes(4096, left.get())));
                if (left.addAndGet(-4096) == 0) {
                    stream.end();
                }
            }
        };
        stream.onWritable(write);
        write.run();
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 20971520\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1400000\r\n"})
    void echoesALargeBodyToASlowReaderWithLittleMemory(String framing) throws Exception {
        byte[] body = bytes(MANY, 1);
        try (RawClient client = smallClient()) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\n" + framing);
            AtomicLong sent = sendAll(client, body, framing.startsWith("T") ? "\r\n0\r\n\r\n" : "");
            assertStalls(sent, MANY);

            assertThat(client.read().content()).isEqualTo(body);
        }
        assertThat(server.ended()).singleElement().satisfies(
                ended -> assertThat(ended.bytes()).isEqualTo(MANY));
    }

    @Test
    void stopsReadingFromAClientThatPipelinesAndDoesNotRead() throws Exception {
        byte[] request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        int count = 25_000;
        byte[] requests = repeat(request, count);
        try (RawClient client = smallClient()) {
            assertStalls(sendAll(client, requests, ""), requests.length);

            for (int i = 0; i < count; i++) {
                assertThat(client.read().content()).hasSize(1000);
            }
        }
        assertThat(server.ended()).hasSize(count);
    }

    @Test
    void stopsReadingFromAClientThatPipelinesBehindASlowRequest() throws Exception {
        byte[] request = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        int count = 25_000;
        byte[] requests = repeat(request, count);
        try (RawClient client = smallClient()) {
            assertStalls(sendAll(client, requests, ""), requests.length);
            assertThat(server.ended()).isEmpty();

            answer(first.join(), "a");
            for (int i = 0; i < count; i++) {
                assertThat(client.read().body()).isEqualTo("a");
            }
        }
    }

    @Test
    void stopsReadingABodyThatIsNotRequested() throws Exception {
        try (RawClient client = smallClient()) {
            client.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            AtomicLong sent = sendAll(client, new byte[1_000_000], "");
            assertStalls(sent, 1_000_000);

            answer(first.join(), "a");
            assertThat(client.read().body()).isEqualTo("a");
            await().until(() -> sent.get() == 1_000_000);
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().content()).hasSize(1000);
        }
    }

    @Test
    void chunksWrittenOnWritabilityKeepTheirOrder() throws Exception {
        try (RawClient client = smallClient()) {
            client.send("GET /pump HTTP/1.1\r\nHost: a\r\n\r\n");
            byte[] content = client.read().content();

            assertThat(content).hasSize(MANY / 4);
            for (int at = 0; at < content.length; at += 4096) {
                byte[] piece = Arrays.copyOfRange(content, at, at + 4096);
                assertThat(piece).isEqualTo(bytes(4096, content.length - at));
            }
        }
    }

    private RawClient smallClient() throws IOException {
        var client = new RawClient(server.port(), 64 * 1024);
        // When both windows are full, only TCP's window probes open them, at growing intervals.
        client.socket().setSoTimeout(60_000);
        return client;
    }

    private static byte[] repeat(byte[] request, int count) {
        ByteBuf all = Unpooled.buffer(request.length * count);
        for (int i = 0; i < count; i++) {
            all.writeBytes(request);
        }
        return all.array();
    }

    /** Sends on a thread of its own, and returns the counter of sent bytes. */
    private static AtomicLong sendAll(RawClient client, byte[] bytes, String end) {
        var sent = new AtomicLong();
        Thread.ofVirtual().start(() -> {
            try {
                for (int at = 0; at < bytes.length; at += 8192) {
                    int to = Math.min(at + 8192, bytes.length);
                    client.send(Arrays.copyOfRange(bytes, at, to));
                    sent.set(to);
                }
                client.send(end);
            } catch (IOException e) {
                sent.set(Long.MIN_VALUE);
            }
        });
        return sent;
    }

    /** Checks that the sender stalls before its end, and that the gateway holds little memory. */
    private void assertStalls(AtomicLong sent, long all) {
        var last = new AtomicLong(-1);
        await().during(Duration.ofMillis(400)).until(() -> {
            long now = sent.get();
            return now > 0 && last.getAndSet(now) == now;
        });
        assertThat(sent.get()).isPositive().isLessThan(all);
        assertThat(Transport.ALLOCATOR.pinnedDirectMemory() - before).isLessThan(FEW);
    }
}
