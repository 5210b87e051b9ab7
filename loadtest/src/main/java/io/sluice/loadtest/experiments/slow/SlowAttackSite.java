package io.sluice.loadtest.experiments.slow;

import io.sluice.loadtest.experiments.server.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The setup of the experiment with slow attacks: a configuration, and a large file. */
record SlowAttackSite(ConfigFile config, Path file) implements AutoCloseable {

    static final String HELLO = "/benchmark/hello";
    static final String UPLOAD = "/upload";
    static final String DOWNLOAD = "/download/large";

    private static final int FILE_BYTES = 4 << 20;

    static SlowAttackSite configured() throws IOException {
        var folder = Files.createTempDirectory("sluice-experiment-");
        var file = Files.write(folder.resolve("large"), new byte[FILE_BYTES]);
        return new SlowAttackSite(ConfigFile.of("slow.conf",
                "sluice.routes.download.directory = \"%s\"".formatted(folder)), file);
    }

    @Override
    public void close() throws IOException {
        config.close();
        Files.delete(file);
        Files.delete(file.getParent());
    }
}
