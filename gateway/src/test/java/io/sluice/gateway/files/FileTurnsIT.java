package io.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads sent by the kernel to fast clients, beside other connections of the same event loop. */
class FileTurnsIT {
    private static final long MIB = 1 << 20;
    private static final int DOWNLOADS = 16;
    private static final int HELLOS = 11;

    @TempDir
    private Path folder;

    /** The test counts bytes, since times depend on the load of the machine. */
    @Test
    void letTheOtherConnectionsOfTheirEventLoopHaveTheirTurn() throws Exception {
        try (var sparse = new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
            sparse.setLength(1024 * 1024 * MIB);
        }
        var downloaded = new LongAdder();
        var downloads = new ArrayList<RawClient>();
        try (var gateway = RunningGateway.start("""
                sluice.server.worker-threads = 1
                sluice.offload.pools.disk { workers = 1 }
                sluice.routes {
                  hello { path = "/hello", handler = text, text = hi }
                  files { path = "/files/**", handler = files, directory = "%s", pool = disk }
                }
                """.formatted(folder))) {
            for (int n = 0; n < DOWNLOADS; n++) {
                RawClient client = gateway.connect().send(get("/files/large"));
                downloads.add(client);
                Thread.ofPlatform().daemon().start(() -> drain(client, downloaded));
            }
            await().until(() -> downloaded.sum() > 100 * MIB);

            var meanwhile = new ArrayList<Long>();
            try (RawClient other = gateway.connect()) {
                for (int n = 0; n < HELLOS; n++) {
                    long before = downloaded.sum();
                    assertThat(other.send(get("/hello")).read().body()).isEqualTo("hi");
                    meanwhile.add(downloaded.sum() - before);
                }
            }
            assertThat(meanwhile.stream().sorted().skip(HELLOS / 2).findFirst().orElseThrow())
                    .isLessThan(4 * DOWNLOADS * MIB);
            for (RawClient client : downloads) {
                client.close();
            }
        }
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static void drain(RawClient client, LongAdder downloaded) {
        var some = new byte[1 << 20];
        try {
            for (int read = 0; read >= 0; read = client.socket().getInputStream().read(some)) {
                downloaded.add(read);
            }
        } catch (IOException e) {
            // the test has ended
        }
    }
}
