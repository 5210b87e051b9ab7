package io.sluice.loadtest.experiments.site;

import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.GatewayJar;
import io.sluice.loadtest.experiments.server.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A configuration, a directory with files that the gateway serves, and one with its certificate; deleted when
 * it is closed.
 */
public record TargetSite(ConfigFile config, Path directory, Path keys) implements AutoCloseable {

    public static final String HELLO = "/hello";
    public static final String ECHO = "/echo";
    /** The path of rows, to be followed by the number of an item. */
    public static final String ROWS = "/rows/";
    public static final String WIDE = "/wide";
    public static final String LONG = "/long";
    public static final String IMPORT = "/import";
    public static final String COMPRESSED = "/compressed";
    public static final String DOCUMENTS = "/documents";
    public static final String WS_ECHO = "/ws/echo";
    public static final String WS_RPC = "/ws/rpc";
    public static final String SUBSCRIBE = "/ws/topics/news";
    public static final String PUBLISH = "/topics/news";
    /**
     * The sizes of the files in bytes: one that an event loop sends at once, one that the kernel sends. The
     * sizes are their names, too.
     */
    public static final List<Integer> FILE_SIZES = List.of(20_000, 200_000);

    /** A small container: 256 MiB of heap, 1,024 descriptors. */
    public static final Confinement SMALL =
            new Confinement(List.of("-Xmx256m"), 1_024, Optional.empty());

    private static final String FILES = "/files/";

    /** A site with a database that has the table of items; blocks until there is a certificate. */
    public static TargetSite of(String databaseUrl, GatewayJar jar)
            throws IOException, InterruptedException {
        var keys = Files.createTempDirectory("sluice-experiment-");
        var tls = TlsFiles.in(keys, jar);
        var directory = Files.createTempDirectory("sluice-experiment-");
        for (int size : FILE_SIZES) {
            Files.write(directory.resolve(Integer.toString(size)), content(size));
        }
        return new TargetSite(ConfigFile.of("target.conf",
                "sluice.databases.items.url = \"%s\"".formatted(databaseUrl),
                "sluice.routes.files.directory = \"%s\"".formatted(directory), tls.config()),
                directory, keys);
    }

    /** The path of the file of one of the sizes. */
    public static String file(int size) {
        return FILES + size;
    }

    /**
     * The contents of the file of a size, which are derived from it, so that those of another file are
     * detected.
     */
    public static byte[] content(int size) {
        var bytes = new byte[size];
        for (int n = 0; n < size; n++) {
            bytes[n] = (byte) (n * 31 + n / 251 + size);
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        config.close();
        for (var each : List.of(directory, keys)) {
            try (var files = Files.list(each)) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(each);
        }
    }
}
