package io.sluice.gateway.tls;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates self-signed certificates for development, with the JDK's keytool. */
public final class DevCertificate {
    private static final List<String> THIS_MACHINE = List.of("localhost", "127.0.0.1", "::1");
    private static final String DAYS = "90";
    private static final String ALIAS = "dev";
    /** The password of a temporary key store, in a directory that only the owner can enter. */
    private static final String PASSWORD = "changeit";

    private DevCertificate() {
    }

    /** The certificate's file, its key's file, and the hosts that it is valid for. */
    public record Written(Path certificate, Path privateKey, List<String> hosts) {

        /** Instructions for the user. */
        @Override
        public String toString() {
            return """
                    %1$s and its key are for %3$s, for %4$s days. In your configuration:

                      sluice.tls { certificate = "%1$s", private-key = "%2$s" }

                    curl --cacert %1$s https://localhost:8443/
                    """.formatted(certificate, privateKey, String.join(", ", hosts), DAYS);
        }
    }

    /**
     * Writes a certificate and its key; only the owner may read the key. Blocks.
     *
     * @param hosts names and addresses that it is valid for, in addition to this machine's
     * @param force whether existing files are replaced
     * @throws TlsException if the files cannot be created
     */
    public static Written write(List<String> hosts, Path directory, boolean force) throws TlsException {
        List<String> all = Stream.concat(THIS_MACHINE.stream(), hosts.stream()).distinct().toList();
        Path absolute = directory.toAbsolutePath().normalize();
        var written = new Written(
                absolute.resolve("sluice-dev.crt"), absolute.resolve("sluice-dev.key"), all);
        try {
            for (Path file : List.of(written.certificate(), written.privateKey())) {
                if (!force && Files.exists(file)) {
                    throw new TlsException(file + ": is there already (expected: --force, or another --dir)");
                }
            }
            KeyStore made = make(all);
            Files.createDirectories(absolute);
            write(written.certificate(), "CERTIFICATE", made.getCertificate(ALIAS).getEncoded(), "rw-r--r--");
            write(written.privateKey(), "PRIVATE KEY",
                    made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded(), "rw-------");
            return written;
        } catch (IOException | GeneralSecurityException e) {
            throw new TlsException("dev-cert: " + e, e);
        }
    }

    private static KeyStore make(List<String> hosts) throws TlsException, IOException,
            GeneralSecurityException {
        Path folder = Files.createTempDirectory("sluice");
        Path store = folder.resolve("store");
        try {
            keytool("-J-XX:TieredStopAtLevel=1", "-genkeypair", "-alias", ALIAS, "-keyalg", "EC",
                    "-groupname", "secp256r1", "-sigalg", "SHA256withECDSA", "-validity", DAYS,
                    "-dname", "CN=Sluice development", "-ext", "san=" + alternativeNames(hosts),
                    "-ext", "eku=serverAuth", "-storetype", "PKCS12",
                    "-keystore", store.toString(), "-storepass", PASSWORD);
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD.toCharArray());
            }
            return made;
        } finally {
            Files.deleteIfExists(store);
            Files.delete(folder);
        }
    }

    private static String alternativeNames(List<String> hosts) throws TlsException {
        for (String host : hosts) {
            if (!isAddress(host) && !host.matches("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
                throw new TlsException("--host: " + host + " (expected: a DNS name or an IP address)");
            }
        }
        return hosts.stream().map(host -> (isAddress(host) ? "ip:" : "dns:") + host)
                .collect(Collectors.joining(","));
    }

    private static boolean isAddress(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    private static void keytool(String... arguments) throws TlsException, IOException {
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(Stream.concat(Stream.of(keytool), Stream.of(arguments)).toList())
                .redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new TlsException("keytool: " + said.strip());
        }
    }

    private static void write(Path file, String label, byte[] der, String permissions) throws IOException {
        Files.deleteIfExists(file);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix ? new FileAttribute<?>[] {PosixFilePermissions
                .asFileAttribute(PosixFilePermissions.fromString(permissions))} : new FileAttribute<?>[0];
        Files.createFile(file, attributes);
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, base64));
    }
}
