package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.read.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReportTest {
    @TempDir
    private Path folder;

    @Test
    void routesListTheirTokens() throws IOException {
        String hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        Path file = Files.writeString(folder.resolve("main.conf"), """
                sluice.tokens { alice.sha256 = %s, bob.sha256 = %s }
                sluice.routes {
                  closed { path = /closed, handler = index, tokens = [alice, bob] }
                  open { path = /open, handler = index }
                }
                """.formatted(hash, hash.replace('b', 'c')));

        assertThat(ConfigReport.of(new ConfigLoader(Map.of()).load(file).config()).lines()).containsExactly(
                "server 0.0.0.0:8080, admin 127.0.0.1:8081, 2 routes",
                "METHODS  PATH     HANDLER  RUNS ON     DEADLINE  TOKENS     ROUTE",
                "GET      /closed  index    event loop  30000ms   alice,bob  closed",
                "GET      /open    index    event loop  30000ms   -          open");
    }
}
