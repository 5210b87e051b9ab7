package io.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.net.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in pieces: sent by the kernel, and read by workers. */
class FileSendingIT {
    private static final byte[] BIG = new byte[5_000_001];
    private static final long FEW = 3 * 1024 * 1024;
    @TempDir
    private static Path folder;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        new Random(1).nextBytes(BIG);
        Files.write(folder.resolve("big"), BIG);
        Files.writeString(folder.resolve("small"), "small");
        gateway = RunningGateway.start("""
                sluice.server { send-buffer = 64KiB, receive-buffer = 64KiB }
                sluice.offload.pools.disk { workers = 1 }
                sluice.handler-defaults.files { directory = "%s", pool = disk }
                sluice.routes {
                  k { path = "/kernel/**", handler = files }
                  r { path = "/reader/**", handler = files, zero-copy = false }
                  k-soon { path = "/kernel-soon/**", handler = files, deadline = 2s }
                  r-soon { path = "/reader-soon/**", handler = files, zero-copy = false, deadline = 2s }
                  by-socket { path = "/by-socket/**", handler = files }
                  rpc { path = /rpc, handler = ws-rpc }
                }
                """.formatted(folder));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void allFilesAreClosed() {
        await().untilAsserted(() -> assertThat(openFiles()).isEmpty());
    }

    /** Returns the files in the test's folder that this process has open, from Linux's /proc. */
    private static List<String> openFiles() throws IOException {
        var found = new ArrayList<String>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            all.forEach(descriptor -> {
                try {
                    found.add(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException e) {
                    // closed meanwhile
                }
            });
        }
        return found.stream().filter(file -> file.startsWith(folder.toString())).toList();
    }

    private static String get(String target, String... headers) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", headers)
                + (headers.length > 0 ? "\r\n\r\n" : "\r\n");
    }

    private static RawClient slow() throws IOException {
        return new RawClient(gateway.port(), 64 * 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel", "/reader"})
    void arriveWholeAndTheNextRequestsAreAnsweredBehindThem(String route) throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send((get(route + "/big") + get(route + "/small")
                    + get(route + "/big", "Range: bytes=100-4000099")
                    + get(route + "/big").replace("GET", "HEAD") + get(route + "/small")).repeat(2));

            for (int i = 0; i < 2; i++) {
                assertThat(client.read().content()).isEqualTo(BIG);
                assertThat(client.read().body()).isEqualTo("small");
                assertThat(client.read().content()).isEqualTo(Arrays.copyOfRange(BIG, 100, 4_000_100));
                assertThat(client.readHead().header("Content-Length")).isEqualTo("5000001");
                assertThat(client.read().body()).isEqualTo("small");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel", "/reader"})
    void endTheirConnectionWhereTheClientWantsThat(String route) throws IOException {
        for (String last : List.of(get(route + "/big", "Connection: close"),
                "GET " + route + "/big HTTP/1.0\r\n\r\n")) {
            try (RawClient client = gateway.connect()) {
                assertThat(client.send(last).read().content()).isEqualTo(BIG);
                assertThat(client.isClosed()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel", "/reader"})
    void costSlowReadersLittleMemoryAndNoWorker(String route) throws Exception {
        long before = Transport.ALLOCATOR.pinnedDirectMemory();
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < 8; i++) {
            clients.add(slow().send(get(route + "/big")));
        }
        for (RawClient client : clients) {
            await().until(() -> client.socket().getInputStream().available() > 0);
        }
        // A worker closes a file until the client reads on.
        await().until(() -> openFiles().size() == (route.equals("/kernel") ? 8 : 0));

        // The answer shows that the only worker is free.
        assertThat(gateway.get("/reader/small").body()).isEqualTo("small");
        assertThat(Transport.ALLOCATOR.pinnedDirectMemory() - before).isLessThan(FEW);
        assertThat(clients.removeLast().read().content()).isEqualTo(BIG);
        for (RawClient client : clients) {
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel", "/reader"})
    void areClosedWhenTheirClientGoes(String route) throws IOException {
        for (boolean reset : new boolean[] {false, true}) {
            try (RawClient client = slow().send(get(route + "/big"))) {
                client.socket().getInputStream().readNBytes(100_000);
                assertThat(openFiles()).hasSizeLessThan(2);
                if (reset) {
                    client.socket().setSoLinger(true, 0);
                }
            }
            allFilesAreClosed();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel", "/reader"})
    void areCutOffWhereTheyBecomeShorter(String route) throws IOException {
        Path file = Files.write(folder.resolve("shrinking"), BIG);
        try (RawClient client = slow().send(get(route + "/shrinking"))) {
            InputStream in = client.socket().getInputStream();
            in.readNBytes(100_000);
            try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
                channel.truncate(200_000);
            }
            assertThat(100_000 + rest(in)).isLessThan(BIG.length);
        }
        await().until(() -> isCounted(500, route));
    }

    private static boolean isCounted(int status, String route) throws Exception {
        return gateway.getAdmin("/metrics").body()
                .contains("status=\"" + status + "\",uri=\"" + route + "/**\"} 1");
    }

    /** Returns the number of bytes until the end, or until a reset. */
    private static long rest(InputStream in) {
        long count = 0;
        try {
            for (int read = in.read(new byte[65_536]); read > 0; read = in.read(new byte[65_536])) {
                count += read;
            }
        } catch (IOException e) {
            // the connection was reset
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/kernel-soon", "/reader-soon"})
    void areCutOffAtTheirDeadline(String route) throws IOException {
        try (RawClient client = slow().send(get(route + "/big"))) {
            await().until(() -> isCounted(504, route));
            allFilesAreClosed();
            assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void areSentAsLongAsTheyWereWhenTheyGrow() throws IOException {
        Path file = Files.write(folder.resolve("growing"), BIG);
        try (RawClient client = slow().send(get("/kernel/growing") + get("/kernel/small"))) {
            await().until(() -> openFiles().size() == 1);
            Files.write(file, new byte[100_000], StandardOpenOption.APPEND);

            assertThat(client.read().content()).isEqualTo(BIG);
            assertThat(client.read().body()).isEqualTo("small");
        }
    }

    @Test
    void areMessagesOfASocketAsFarAsTheyFit() throws Exception {
        Files.writeString(folder.resolve("middle"), "m".repeat(500_000));
        try (var client = SocketClient.connect(gateway, "/rpc")) {
            assertThat(client.send("{\"path\":\"/by-socket/small\"}").next())
                    .isEqualTo("{\"id\":null,\"status\":200,\"body\":\"small\"}");
            assertThat(client.send("{\"path\":\"/by-socket/middle\"}").next()).hasSize(500_034);
            assertThat(client.send("{\"path\":\"/by-socket/big\"}").next())
                    .contains("\"status\":500", "too large for a socket");
        }
    }
}
