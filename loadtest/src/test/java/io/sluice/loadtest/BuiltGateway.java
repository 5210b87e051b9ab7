package io.sluice.loadtest;

import static org.awaitility.Awaitility.await;

import io.sluice.loadtest.experiments.server.GatewayJar;
import java.time.Duration;
import java.util.Objects;
import java.util.jar.JarFile;

/** The gateway's jar: this module needs nothing of it to be built, so Maven builds both at once. */
public final class BuiltGateway {

    private BuiltGateway() {}

    /** Waits until it is there. */
    public static GatewayJar jar() {
        return await("the gateway's jar").atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofSeconds(1))
                .ignoreExceptions().until(() -> {
                    var jar = GatewayJar.besideThisModule();
                    new JarFile(jar.file().toFile()).close(); // which is written to its end
                    return jar;
                }, Objects::nonNull);
    }
}
