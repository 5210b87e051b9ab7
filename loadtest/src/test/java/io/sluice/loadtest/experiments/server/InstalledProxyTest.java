package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InstalledProxyTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void isConfiguredForItsPortAndTheOrigin(InstalledProxy proxy) throws Exception {
        assertThat(proxy.config(8_123, 9_456, Optional.empty(), folder))
                .contains("127.0.0.1:8123 backlog", "127.0.0.1:9456").doesNotContain("@", "ssl");
    }

    @Test
    void readsACertificateForTls() throws Exception {
        var files = new TlsFiles(Files.writeString(folder.resolve("c"), "certificate\n"),
                Files.writeString(folder.resolve("k"), "key\n"));
        assertThat(InstalledProxy.NGINX.config(1, 2, Optional.of(files), folder))
                .contains("backlog=4096 ssl;",
                        "ssl_certificate %1$s/c; ssl_certificate_key %1$s/k;".formatted(folder));
        assertThat(InstalledProxy.HAPROXY.config(1, 2, Optional.of(files), folder))
                .contains("backlog 4096 ssl crt %s/haproxy.pem".formatted(folder));
        assertThat(folder.resolve("haproxy.pem")).content().isEqualTo("certificate\nkey\n");
    }
}
