package io.sluice.loadtest;

import static org.awaitility.Awaitility.await;

import io.sluice.loadtest.experiments.server.GatewayJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;

/** The gateway's jar: this module needs nothing of it to be built, so Maven builds both at once. */
public final class BuiltGateway {

    private static final List<String> MODULES = List.of("config", "blocking-offload", "handlers", "gateway");

    private BuiltGateway() {}

    /** Waits until it is complete, and no source is newer than it: an earlier build may have left one. */
    public static GatewayJar jar() {
        return await("gateway/target/sluice.jar, newer than its sources").atMost(Duration.ofMinutes(20))
                .pollInterval(Duration.ofSeconds(1)).ignoreExceptions().until(() -> {
                    var jar = GatewayJar.besideThisModule();
                    new JarFile(jar.file().toFile()).close(); // which is written to its end
                    return isNewerThanSources(jar.file()) ? jar : null;
                }, Objects::nonNull);
    }

    private static boolean isNewerThanSources(Path jar) throws IOException {
        var built = Files.getLastModifiedTime(jar);
        var gateway = jar.getParent().getParent();
        for (var module : MODULES) {
            try (var newer = Files.find(gateway.resolveSibling(module).resolve("src/main"), Integer.MAX_VALUE,
                    (_, file) -> file.isRegularFile() && file.lastModifiedTime().compareTo(built) > 0)) {
                if (newer.findAny().isPresent()) {
                    return false;
                }
            }
        }
        return true;
    }
}
