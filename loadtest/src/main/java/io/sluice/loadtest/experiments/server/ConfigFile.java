package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary file with a configuration of this module, deleted when it is closed. */
public record ConfigFile(Path file) implements AutoCloseable {

    private static final String FOLDER = "/io/sluice/loadtest/experiments/";

    /** Writes a resource, followed by lines that override it. */
    public static ConfigFile of(String resource, String... lines) throws IOException {
        try (var text = open(resource)) {
            var file = Files.createTempFile("sluice-experiment-", ".conf");
            file.toFile().deleteOnExit();
            Files.writeString(file, new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    + String.join("\n", lines) + "\n");
            return new ConfigFile(file);
        }
    }

    /** Opens a resource of this module. */
    static InputStream open(String resource) {
        var text = ConfigFile.class.getResourceAsStream(FOLDER + resource);
        if (text == null) {
            throw new IllegalArgumentException("%s: no such resource (expected: one in %s)"
                    .formatted(resource, FOLDER));
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
