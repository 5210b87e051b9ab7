package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.proxy.ByteOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway with a low limit of open files. */
class OpenFilesIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int ROOM = 5;
    /**
     * The limit, of which the gateway reserves a tenth: fewer files than the concurrent requests to the
     * upstream.
     */
    private static final int FEW = 600;
    private static final int CONCURRENCY = 80;

    private final List<RawClient> clients = new ArrayList<>();
    private GatewayProcess gateway;

    @BeforeEach
    void requirePrlimit() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "util-linux sets a process's limits");
    }

    /**
     * Has the watches' classes loaded, by a connection that times out. Loading needs a free file descriptor.
     */
    private void awaitClassesOfWatches() throws Exception {
        try (var slow = new RawClient(gateway.port())) {
            assertThat(slow.send(GET + "G").read().status()).isEqualTo(200);
            assertThat(slow.read().status()).isEqualTo(408);
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }

    private RawClient connect() throws Exception {
        var client = new RawClient(gateway.port());
        clients.add(client);
        return client;
    }

    private void mayOpen(long files) throws Exception {
        var command = List.of("prlimit", "--pid", Long.toString(gateway.handle().pid()), "--nofile=" + files);
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private long open() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(gateway.handle().pid()), "fd"))) {
            return files.count();
        }
    }

    @Test
    void acceptPausesWithoutFileDescriptorsAndOpenConnectionsAreServed() throws Exception {
        gateway = GatewayProcess.start("""
                sluice.routes.hello { path = "/", handler = text, text = hello }
                sluice.server.timeouts.head = 1s
                """);
        RawClient first = connect();
        assertThat(first.send(GET).read().body()).isEqualTo("hello");
        awaitClassesOfWatches();
        mayOpen(open() + ROOM);
        for (int i = 0; i < 3 * ROOM; i++) {
            connect().send(GET);
        }
        await().until(() -> gateway.output().contains("no connection can be accepted"));
        assertThat(first.send(GET).read().body()).isEqualTo("hello");
        assertThat(gateway.output()).contains("ulimit -n").doesNotContain("exceptionCaught");

        for (RawClient served : clients.subList(1, 1 + ROOM)) {
            assertThat(served.read().body()).isEqualTo("hello");
            served.close();
        }
        assertThat(clients.get(1 + ROOM).read().body()).isEqualTo("hello");
    }

    @Test
    void keepsFilesForUpstreamsHoweverManyClientsThereAre() throws Exception {
        var all = new CountDownLatch(CONCURRENCY);
        try (ByteOrigin origin = ByteOrigin.playing(connection -> {
            connection.request();
            all.countDown();
            all.await();
            connection.send("HTTP/1.1 204 No Content\r\n\r\n");
        })) {
            gateway = GatewayProcess.startWithFiles(FEW, """
                    sluice.upstreams.shop { endpoints = ["http://127.0.0.1:%d"], concurrency = %d, \
                    client-share = 100%%, deadline = 60s, connect-timeout = 60s }
                    sluice.routes.shop { path = "/shop", handler = proxy, upstream = shop }
                    sluice.routes.hello { path = "/", handler = text, text = hello }
                    """.formatted(origin.port(), CONCURRENCY));
            while (isServed(connect())) {
                assertThat(clients).hasSizeLessThan(FEW);
            }

            List<RawClient> proxied = clients.subList(0, CONCURRENCY);
            for (RawClient client : proxied) {
                client.send("GET /shop HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            for (RawClient client : proxied) {
                assertThat(client.read().status()).isEqualTo(204);
            }
        }
    }

    @Test
    void keepsFilesForResponsesHoweverManyClientsThereAre() throws Exception {
        gateway = GatewayProcess.startWithFiles(FEW, """
                sluice.offload.pools.disk { workers = 2 }
                sluice.routes.files { path = "/files/**", handler = files, directory = "%s", pool = disk }
                sluice.routes.hello { path = "/", handler = text, text = hello }
                """.formatted(System.getProperty("java.io.tmpdir")));
        while (isServed(connect())) {
            assertThat(clients).hasSizeLessThan(FEW);
        }

        assertThat(open()).isLessThanOrEqualTo(FEW - FEW / 4);
    }

    private static boolean isServed(RawClient client) throws IOException {
        try {
            return client.send(GET).read().status() == 200;
        } catch (SocketException | EOFException e) {
            return false;
        }
    }
}
