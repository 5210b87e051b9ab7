package io.sluice.gateway.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of an authority that tests trust, as files and in clients. */
public final class TestCertificates {
    /** Who vouches for everything here. */
    public static final X509Bundle AUTHORITY = authority("authority");
    /** This machine. */
    public static final X509Bundle LOCALHOST = server("localhost", "127.0.0.1");

    private TestCertificates() {
    }

    /** Somebody else who vouches. */
    public static X509Bundle authority(String name) {
        return build(() -> new CertificateBuilder().ecp256().subject("CN=" + name)
                .setIsCertificateAuthority(true).buildSelfSigned());
    }

    /** A server's certificate; a name that begins with a digit is an address. */
    public static X509Bundle server(String... names) {
        return build(() -> named(names).buildIssuedBy(AUTHORITY));
    }

    /** One that has ended yesterday, for servers and clients. */
    public static X509Bundle expired(X509Bundle authority) {
        Instant now = Instant.now();
        return build(() -> named("localhost").addExtendedKeyUsageClientAuth()
                .notBefore(now.minus(9, ChronoUnit.DAYS)).notAfter(now.minus(1, ChronoUnit.DAYS))
                .buildIssuedBy(authority));
    }

    /** A client's. */
    public static X509Bundle client(X509Bundle authority) {
        return build(() -> new CertificateBuilder().ecp256().subject("CN=client")
                .addExtendedKeyUsageClientAuth().buildIssuedBy(authority));
    }

    /** A server's certificate for any DNS names, wildcards too, which the builder does not take. */
    public static X509Bundle wildcard(String... names) {
        ByteBuf all = Unpooled.buffer();
        for (String name : names) {
            all.writeByte(0x82).writeByte(name.length()).writeCharSequence(name, StandardCharsets.US_ASCII);
        }
        ByteBuf sequence = Unpooled.buffer().writeByte(0x30).writeByte(all.readableBytes()).writeBytes(all);
        return build(() -> named().addExtensionOctetString("2.5.29.17", false, ByteBufUtil.getBytes(sequence))
                .buildIssuedBy(AUTHORITY));
    }

    private static CertificateBuilder named(String... names) {
        var builder = new CertificateBuilder().ecp256().subject("CN=server").addExtendedKeyUsageServerAuth();
        for (String name : names) {
            if (Character.isDigit(name.charAt(0))) {
                builder.addSanIpAddress(name);
            } else {
                builder.addSanDnsName(name);
            }
        }
        return builder;
    }

    /** What can fail, and does not. */
    private interface Making<T> {
        T make() throws Exception;
    }

    private static <T> T build(Making<T> making) {
        try {
            return making.make();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a file at once, for those who read it meanwhile. */
    public static void write(Path file, String text) throws IOException {
        Path other = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes name.crt and name.key; returns the part of a configuration that names them. */
    public static String write(Path folder, String name, X509Bundle bundle) {
        return build(() -> {
            Path certificate = folder.resolve(name + ".crt");
            Path key = folder.resolve(name + ".key");
            write(certificate, bundle.getCertificatePathPEM());
            write(key, bundle.getPrivateKeyPEM());
            return "certificate = \"" + certificate + "\", private-key = \"" + key + '"';
        });
    }

    /** For clients that trust {@link #AUTHORITY}. */
    public static SSLContext client() {
        return client(new KeyManager[0]);
    }

    /** For clients that also show a certificate. */
    public static SSLContext clientAs(X509Bundle client) {
        return client(build(client::toKeyManagerFactory).getKeyManagers());
    }

    private static SSLContext client(KeyManager[] managers) {
        return build(() -> {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("authority", AUTHORITY.getCertificate());
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers, trust.getTrustManagers(), new SecureRandom());
            return context;
        });
    }
}
