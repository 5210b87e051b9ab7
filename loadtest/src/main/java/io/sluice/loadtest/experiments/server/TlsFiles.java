package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A self-signed certificate and its private key, in PEM. */
public record TlsFiles(Path certificate, Path privateKey) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Creates them in a folder, by the gateway's {@code dev-cert}; blocks.
     *
     * @throws IOException if it does not
     */
    public static TlsFiles in(Path folder, GatewayJar jar) throws IOException, InterruptedException {
        var creating = ChildProcesses.start(new ProcessBuilder(JavaCommand.of(
                "-jar", jar.file().toString(), "dev-cert", "--dir", folder.toString()))
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD));
        try {
            if (!creating.waitFor(PATIENCE) || creating.exitValue() != 0) {
                throw new IOException("the gateway wrote no certificate (sluice dev-cert)");
            }
        } finally {
            creating.destroyForcibly();
            ChildProcesses.ended(creating);
        }
        return new TlsFiles(folder.resolve("sluice-dev.crt"), folder.resolve("sluice-dev.key"));
    }

    /** The lines of a gateway's configuration that name them. */
    public String config() {
        return "sluice.tls { certificate = \"%s\", private-key = \"%s\" }".formatted(certificate, privateKey);
    }

    /** Writes both into one file, as HAProxy reads them. */
    Path together(Path file) throws IOException {
        return Files.writeString(file, Files.readString(certificate) + Files.readString(privateKey));
    }
}
