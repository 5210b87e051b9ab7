package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.TlsConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exchange of TLS contexts: BoringSSL's memory, which is not garbage-collected, is released. */
class CertificateSwapTest {
    private static final List<String> HTTP = List.of("http/1.1");

    @TempDir
    private Path folder;

    private TlsConfig config(String more) {
        return TlsServer.config(folder, TestCertificates.write(folder, "a", TestCertificates.LOCALHOST)
                + ", provider = openssl" + more);
    }

    @Test
    void aContextGoesWithItsLastConnection() throws Exception {
        TlsConfig config = config("");
        var contexts = new SslContexts(TlsFiles.read(config), config, HTTP);
        SslContext context = contexts.of(null);
        SslHandler connection = context.newHandler(UnpooledByteBufAllocator.DEFAULT);
        contexts.release();
        assertThat(ReferenceCountUtil.refCnt(context)).isEqualTo(1);

        ReferenceCountUtil.release(connection.engine());

        assertThat(ReferenceCountUtil.refCnt(context)).isZero();
    }

    /** Makes exchanges fast: most of their time is spent to encrypt a key store in memory. */
    @BeforeAll
    static void exchangeQuickly() {
        System.setProperty("keystore.pkcs12.keyPbeIterationCount", "1");
    }

    @AfterAll
    static void exchangeAsAlways() {
        System.clearProperty("keystore.pkcs12.keyPbeIterationCount");
    }

    /** So that nothing can fail once the certificates are to be used. */
    @Test
    void theThreadThatReadsThemIsThereBeforeTheyAreUsed() throws Exception {
        Set<Thread> before = readers();
        try (var _ = Certificates.load(config(""), HTTP, new NoMeter())) {
            assertThat(readers()).anyMatch(reader -> !before.contains(reader));
        }
        await().until(() -> before.containsAll(readers()));
    }

    private static Set<Thread> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tls-files")).collect(Collectors.toSet());
    }

    @Test
    void connectionsComeWhileContextsAreExchanged() throws Exception {
        try (var certificates = Certificates.load(config(", reload-interval = 1h"), HTTP, new NoMeter())) {
            X509Bundle other = TestCertificates.server("localhost");
            var swaps = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50; i++) {
                    TestCertificates.write(folder, "a", i % 2 == 0 ? other : TestCertificates.LOCALHOST);
                    certificates.reloadIfChanged();
                }
            });
            int connections = 0;
            while (swaps.isAlive()) {
                SslHandler handler = certificates.newHandler("localhost");
                ReferenceCountUtil.release(handler.engine());
                connections++;
            }
            assertThat(connections).isGreaterThan(50);
        }
    }

    @Test
    void reloadContinuesAfterAnError() throws Exception {
        var refused = new AtomicInteger();
        var meter = new NoMeter() {
            @Override
            public void refused() {
                refused.incrementAndGet();
                throw new AssertionError("of a meter");
            }
        };
        try (var certificates = Certificates.load(config(", reload-interval = 100ms"), HTTP, meter)) {
            certificates.begin();
            TestCertificates.write(folder.resolve("a.crt"), "");

            await().untilAsserted(() -> assertThat(refused).hasValueGreaterThan(2));
        }
    }

    /** Certificates of a reload that is rolled back are never in use; former ones are no longer in use. */
    @Test
    void onlyCertificatesInUseAreMetered() throws Exception {
        var metered = new ArrayList<String>();
        var meter = new NoMeter() {
            @Override
            public void inUse(Instant expiry) {
                metered.add("in use");
            }

            @Override
            public void refused() {
                metered.add("refused");
            }
        };
        try (var certificates = Certificates.load(config(", reload-interval = 1h"), HTTP, meter)) {
            assertThat(metered).isEmpty();
            certificates.begin();
            assertThat(metered).containsExactly("in use");
            String before = Files.readString(folder.resolve("a.crt"));
            TestCertificates.write(folder.resolve("a.crt"), "");
            certificates.reloadIfChanged();
            assertThat(metered).containsExactly("in use", "refused");

            certificates.stopReading();
            certificates.reloadIfChanged();
            TestCertificates.write(folder.resolve("a.crt"), before);
            certificates.reloadIfChanged();
            assertThat(metered).containsExactly("in use", "refused");
        }
    }

    static class NoMeter implements TlsObserver {

        @Override
        public void handshake(String version, long nanos) {
        }

        @Override
        public void failed(HandshakeFailure reason) {
        }

        @Override
        public void inUse(Instant expiry) {
        }

        @Override
        public void refused() {
        }

        @Override
        public void noneInUse() {
        }
    }
}
