package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not read the files they request, with a low limit of open files. */
class StalledFilesIT {
    private static final int DESCRIPTORS = 512;
    private static final int FOR_ANSWERS = DESCRIPTORS / 4;
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 99;
    private static final int[] NO_WINDOW = {4, 0};
    private static final byte[] BIG = new byte[1_000_000];

    @TempDir
    private static Path folder;
    private static GatewayProcess gateway;
    private final List<AutoCloseable> clients = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "util-linux sets a process's limits");
        new Random(1).nextBytes(BIG);
        Files.write(folder.resolve("big"), BIG);
        Files.writeString(folder.resolve("small"), "small");
        gateway = GatewayProcess.startWithFiles(DESCRIPTORS, """
                sluice.server { send-buffer = 64KiB, receive-buffer = 64KiB }
                sluice.http2.stream-buffer = 16KiB
                sluice.offload.pools.disk { workers = 2, deadline = 10m } # on a machine that is busy
                sluice.route-defaults.deadline = 10m
                sluice.routes.files { path = "/**", handler = files, directory = "%s", pool = disk }
                """.formatted(folder));
    }

    @AfterAll
    static void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        await().until(() -> openFiles() == 0);
    }

    private <T extends AutoCloseable> T closedLater(T client) {
        clients.add(client);
        return client;
    }

    private FrameClient withoutWindow() throws IOException {
        return closedLater(FrameClient.greet(new RawClient(gateway.port()), NO_WINDOW));
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(gateway.handle().pid()), "fd"))) {
            return all.filter(StalledFilesIT::isServed).count();
        }
    }

    private static boolean isServed(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder.toRealPath());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private static String request(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static void assertNeighboursAreServed() throws IOException {
        assertThat(openFiles()).isLessThanOrEqualTo(FOR_ANSWERS + 2);
        try (var neighbour = new RawClient(gateway.port())) {
            assertThat(neighbour.send(request("/small")).read().body()).isEqualTo("small");
            assertThat(neighbour.send(request("/big")).read().content()).isEqualTo(BIG);
        }
    }

    @Test
    void streamsWithoutAWindowHoldNoFilesAndGetThemWholeLater() throws Exception {
        var stalled = new ArrayList<FrameClient>();
        for (int i = 0; i < CONNECTIONS; i++) {
            stalled.add(withoutWindow());
            for (int n = 0; n < STREAMS; n++) {
                stalled.getLast().send(get(2 * n + 1, "/big"));
            }
            assertNeighboursAreServed();
        }
        for (FrameClient client : stalled) {
            for (int n = 0; n < STREAMS; n++) {
                Frame head = client.await(Frame.HEADERS, 2 * n + 1);
                assertThat(client.headers(head)).containsEntry(":status", "200");
            }
            assertNeighboursAreServed();
        }
        await().until(() -> openFiles() == 0);

        FrameClient client = stalled.getFirst();
        client.send(Frame.windowUpdate(0, 1 << 30), Frame.windowUpdate(1, 100_000));
        client.send(get(199, "/big"), Frame.windowUpdate(199, 1 << 30),
                Frame.windowUpdate(1, 1 << 30));
        assertThat(client.body(1)).isEqualTo(BIG);
        assertThat(client.answer(199).content()).isEqualTo(BIG);
        assertNeighboursAreServed();
    }

    @Test
    void stalledConnectionsHoldAtMostHalfOfTheFiles() throws Exception {
        for (int i = 0; i < FOR_ANSWERS / 2 + 8; i++) {
            closedLater(new RawClient(gateway.port(), 64 * 1024)).send(request("/big"));
            assertNeighboursAreServed();
        }
        await().until(() -> openFiles() == FOR_ANSWERS / 2);

        for (AutoCloseable client : clients) {
            assertThat(((RawClient) client).read().content()).isEqualTo(BIG);
        }
    }

    @Test
    void aFileThatIsReplacedMeanwhileIsCutOff() throws Exception {
        Path file = Files.write(folder.resolve("replaced"), BIG);
        FrameClient client = withoutWindow();
        client.send(get(1, "/replaced"), get(3, "/big"));
        client.await(Frame.HEADERS, 1);
        await().until(() -> openFiles() == 0);

        Path next = Files.write(folder.resolve("next"), new byte[BIG.length]);
        Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        client.send(Frame.windowUpdate(0, 1 << 30), Frame.windowUpdate(1, 1 << 30),
                Frame.windowUpdate(3, 1 << 30));
        assertThat(client.resetOf(1)).isEqualTo(Frame.INTERNAL_ERROR);
        assertThat(client.answer(3).content()).isEqualTo(BIG);
    }
}
