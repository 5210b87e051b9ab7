package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A program that prints the same lines as a gateway at start. {@link #jarIn} packs it into a jar. */
final class FakeGateway {

    static final int PORT = 12_345;

    private FakeGateway() {}

    /** Prints that it serves and never ends, or fails if {@code -Dsluice.fake=broken} is set. */
    public static void main(String[] args) throws InterruptedException {
        if (Arrays.asList(args).contains("-Dsluice.fake=broken")) {
            System.err.println("sluice.fake: broken (expected: anything else)");
            System.exit(2);
        }
        System.out.println("Sluice 0 serves http://localhost:" + PORT + "/ - admin port: "
                + "http://localhost:1/metrics");
        new CountDownLatch(1).await();
    }

    static GatewayJar jarIn(Path folder) throws IOException {
        var file = folder.resolve("sluice.jar");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeGateway.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH,
                FakeGateway.class.getProtectionDomain().getCodeSource().getLocation().toString());
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.finish();
        }
        return new GatewayJar(file);
    }
}
