package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.sluice.config.TransportKind;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.net.Acceptors;
import io.sluice.gateway.net.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Behaviour that depends on the transport, with each native transport that loads here. Other tests use NIO.
 */
@ParameterizedClass
@EnumSource(value = TransportKind.class, names = {"EPOLL", "IO_URING", "KQUEUE"})
class TransportIT {
    private static final String CONFIG = """
            sluice {
              server { transport = %s, boss-threads = %d, reuse-port = %b }
              offload.pools.disk { workers = 2 }
              routes {
                hello { path = "/", handler = text, text = hello }
                echo { path = "/echo", methods = [POST], handler = echo, max-body = 16MiB }
                wait { path = "/wait", handler = delay }
                ws { path = "/ws", handler = ws-echo }
                files { path = "/files/**", handler = files, directory = "%s", pool = disk }
              }
            }
            """;
    private static final String HELLO = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int LARGE = 8 << 20;
    @TempDir
    private static Path folder;
    private static RunningGateway gateway;

    @Parameter
    private TransportKind kind;

    @BeforeParameterizedClassInvocation
    static void start(TransportKind kind) {
        try {
            Transport.of(kind);
        } catch (UnsupportedOperationException e) {
            abort(kind + " does not load here: " + e.getMessage());
        }
        gateway = RunningGateway.start(CONFIG.formatted(kind, 1, false, folder));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        if (gateway != null) {
            gateway.close();
            gateway = null;
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send((HELLO + "GET /wait?ms=1 HTTP/1.1\r\nHost: a\r\n\r\n").repeat(50));
            for (int i = 0; i < 50; i++) {
                assertThat(client.read().body()).isEqualTo("hello");
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    /** On a busy machine a turn may end before all are read; the others are lost with the connection. */
    @Test
    void answersAClientThatHasClosedItsSendingHalf() {
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> {
            try (RawClient client = gateway.connect()) {
                client.send(HELLO.repeat(3));
                client.socket().shutdownOutput();
                for (int i = 0; i < 3; i++) {
                    assertThat(client.read().body()).isEqualTo("hello");
                }
                assertThat(client.isClosed()).isTrue();
            }
        });
    }

    @Test
    void malformedRequestGets400AndIsDisconnected() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send("hello\r\n\r\n" + "x".repeat(100_000));
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void detectsDisconnectOfAPipeliningClient() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send("GET /wait?ms=9000 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + HELLO.repeat(200));
        }
        await().until(() -> gateway.getAdmin("/metrics").body().lines().anyMatch(line ->
                line.startsWith("http_server_requests_seconds_count") && line.contains("uri=\"/wait\"")
                        && line.contains("status=\"499\"")));
    }

    @Test
    void closesConnectionsThatWereResetBeforeItAcceptsThem() throws IOException {
        long before = openFiles();
        IntStream.range(0, 2000).parallel().forEach(_ -> {
            try (var client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                client.setSoLinger(true, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (RawClient client = gateway.connect()) {
            assertThat(client.send(HELLO).read().body()).isEqualTo("hello");
        }
        await().until(() -> openFiles() < before + 10);
    }

    private static long openFiles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                .getOpenFileDescriptorCount();
    }

    @Test
    void sendsAsMuchAsAClientReads() throws Exception {
        byte[] body = new byte[LARGE];
        try (RawClient client = new RawClient(gateway.port(), 64 * 1024)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
            var sent = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.send(body);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(client.read().content()).isEqualTo(body);
            sent.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void sendsWholeFilesAndServesPipelinedRequests() throws IOException {
        for (int size : new int[] {70_000, 3_000_001}) {
            byte[] file = new byte[size];
            new Random(size).nextBytes(file);
            Files.write(folder.resolve("file"), file);
            try (RawClient client = gateway.connect()) {
                client.send("GET /files/file HTTP/1.1\r\nHost: a\r\n\r\n" + HELLO);
                assertThat(client.read().content()).isEqualTo(file);
                assertThat(client.read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void servesWebSockets() throws Exception {
        try (SocketClient socket = SocketClient.connect(gateway, "/ws")) {
            socket.send("hello");
            assertThat(socket.next()).isEqualTo("hello");
        }
    }

    @Test
    void opensNoPortThatIsTaken() {
        assertThatThrownBy(() -> bind(gateway.port(), false)).isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
    }

    @Test
    void portIsSharedOnlyWithReusePortListeners() throws Exception {
        try (var shared = RunningGateway.start(CONFIG.formatted(kind, 3, true, folder)
                + "sluice.lifecycle.drain-timeout = 30s")) {
            for (int i = 0; i < 30; i++) {
                try (RawClient client = shared.connect()) {
                    assertThat(client.send(HELLO).read().body()).isEqualTo("hello");
                }
            }
            assertThatThrownBy(() -> bind(shared.port(), false)).hasMessageContaining("in use");
            if (kind != TransportKind.KQUEUE) {
                bind(shared.port(), true);
            }
            try (RawClient client = shared.connect()) {
                client.send(HELLO + "GET /wait?ms=300 HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo("hello");
                shared.stop();
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    /** Opens a port and closes it again. */
    private void bind(int port, boolean shared) throws Exception {
        Transport transport = Transport.of(kind);
        EventLoopGroup loops = transport.group("second", 1);
        try {
            var config = new ConfigLoader(Map.of()).loadResource("reference.conf").config().server();
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            var acceptors = new Acceptors(loops, loops, new ChannelInboundHandlerAdapter(), shared);
            transport.bind(config, address, acceptors, new ChannelInboundHandlerAdapter()).close();
        } finally {
            loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
