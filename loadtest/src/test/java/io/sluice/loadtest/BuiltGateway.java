package io.sluice.loadtest;

import static org.awaitility.Awaitility.await;

import io.sluice.loadtest.experiments.server.GatewayJar;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Order;

/**
 * The gateway's jar in its module. This module does not depend on it, so that Maven can build both at once.
 */
public final class BuiltGateway {

    private static final List<String> MODULES = List.of("config", "blocking-offload", "handlers", "gateway");

    private BuiltGateway() {}

    /** Marks tests that wait for the jar. They begin after the others, which run while it is built. */
    @Order(Integer.MAX_VALUE)
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Awaited {
    }

    /** Waits until the jar is complete and newer than its sources, and not left by an earlier build. */
    public static GatewayJar jar() {
        return await("gateway/target/sluice.jar, newer than its sources").atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofSeconds(1)).ignoreExceptions().until(() -> {
                    var jar = GatewayJar.besideThisModule();
                    new JarFile(jar.file().toFile()).close(); // fails while the jar is being written
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
