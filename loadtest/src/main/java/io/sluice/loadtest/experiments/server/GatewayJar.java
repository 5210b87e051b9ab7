package io.sluice.loadtest.experiments.server;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The gateway's jar, and the command that runs it as the launcher does. */
public record GatewayJar(Path file) {

    /**
     * The jar that was built next to this module.
     *
     * @throws IllegalStateException if there is none
     */
    public static GatewayJar besideThisModule() {
        try {
            // <root>/loadtest/target/<jar or classes> -> <root>/gateway/target/sluice.jar
            var classes = GatewayJar.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return new GatewayJar(
                    Path.of(classes).resolveSibling("../../gateway/target/sluice.jar").normalize()).checked();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private GatewayJar checked() {
        if (!Files.isRegularFile(file)) {
            throw new IllegalStateException(
                    "%s: not found (expected: the gateway, built by ./sluice)".formatted(file));
        }
        return this;
    }

    /** The command line that serves a configuration file in a variant. */
    List<String> serve(Path config, Variant variant) {
        var command = JavaCommand.of("-jar", file.toString(), "serve", "--config", config.toString());
        variant.settings().forEach((key, value) -> command.add("-D" + key + "=" + value));
        return command;
    }
}
