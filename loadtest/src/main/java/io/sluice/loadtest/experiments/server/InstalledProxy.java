package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.process.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A proxy of the machine's distribution, found on the PATH or where Debian installs it. */
public enum InstalledProxy {
    /** Two worker processes. */
    NGINX("nginx", "nginx.conf") {
        @Override
        List<String> arguments(Path config) {
            return List.of("-e", "stderr", "-c", config.toString());
        }

        @Override
        String tls(TlsFiles files, Path folder) {
            return " ssl";
        }
    },
    /** One process with two threads. */
    HAPROXY("haproxy", "haproxy.cfg") {
        @Override
        List<String> arguments(Path config) {
            return List.of("-db", "-f", config.toString());
        }

        @Override
        String tls(TlsFiles files, Path folder) throws IOException {
            return " ssl crt " + files.together(folder.resolve("haproxy.pem"));
        }
    };

    private final String program;
    private final String template;

    InstalledProxy(String program, String template) {
        this.program = program;
        this.template = template;
    }

    abstract List<String> arguments(Path config);

    /** Returns the part of the configuration that makes a listener speak TLS. */
    abstract String tls(TlsFiles files, Path folder) throws IOException;

    /** The program; empty if it is not installed. */
    public Optional<Path> program() {
        return InstalledProgram.find(program);
    }

    /** Writes the configuration, and returns the command line that serves it in the foreground. */
    List<String> command(int port, int originPort, Optional<TlsFiles> tls, Path folder) throws IOException {
        var config = Files.writeString(folder.resolve(template), config(port, originPort, tls, folder));
        var found = program().orElseThrow(() -> new IllegalStateException(program + ": not installed"));
        return Stream.concat(Stream.of(found.toString()), arguments(config).stream()).toList();
    }

    String config(int port, int originPort, Optional<TlsFiles> tls, Path folder) throws IOException {
        var values = Map.of(
                "FOLDER", folder.toString(),
                "PORT", Integer.toString(port),
                "ORIGIN", "127.0.0.1:" + originPort,
                "TLS", tls.isPresent() ? tls(tls.get(), folder) : "",
                "CERTIFICATE", tls.map(files -> "ssl_certificate %s; ssl_certificate_key %s;"
                        .formatted(files.certificate(), files.privateKey())).orElse(""));
        try (var text = ConfigFile.open(template)) {
            var config = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            for (var value : values.entrySet()) {
                config = config.replace("@" + value.getKey() + "@", value.getValue());
            }
            return config;
        }
    }
}
