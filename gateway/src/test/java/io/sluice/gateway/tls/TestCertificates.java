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

/** Certificates of an authority that test clients trust, as files and in clients. */
public final class TestCertificates {
    /** The authority that test clients trust. */
    public static final X509Bundle AUTHORITY = authority("authority");
    /** The certificate of this machine. */
    public static final X509Bundle LOCALHOST = server("localhost", "127.0.0.1");

    private TestCertificates() {
    }

    /** Creates another authority. */
    public static X509Bundle authority(String name) {
        return build(() -> new CertificateBuilder().ecp256().subject("CN=" + name)
                .setIsCertificateAuthority(true).buildSelfSigned());
    }

    /** Creates a server's certificate. A name that begins with a digit is an IP address. */
    public static X509Bundle server(String... names) {
        return build(() -> named(names).buildIssuedBy(AUTHORITY));
    }

    /** Creates a certificate for servers and clients that expired yesterday. */
    public static X509Bundle expired(X509Bundle authority) {
        Instant now = Instant.now();
        return build(() -> named("localhost").addExtendedKeyUsageClientAuth()
                .notBefore(now.minus(9, ChronoUnit.DAYS)).notAfter(now.minus(1, ChronoUnit.DAYS))
                .buildIssuedBy(authority));
    }

    /** Creates a client's certificate. */
    public static X509Bundle client(X509Bundle authority) {
        return client(authority, Instant.now().plus(9, ChronoUnit.DAYS));
    }

    /** Creates a client's certificate that expires at this time. */
    static X509Bundle client(X509Bundle authority, Instant expiry) {
        return build(() -> new CertificateBuilder().ecp256().subject("CN=client")
                .addExtendedKeyUsageClientAuth().notAfter(expiry).buildIssuedBy(authority));
    }

    /** Creates a server's certificate for DNS names and wildcards, which the builder does not support. */
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

    /** An action whose checked exceptions are not expected. */
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

    /** Writes a file atomically, as others may read it at the same time. */
    public static void write(Path file, String text) throws IOException {
        Path other = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes name.crt and name.key; returns the keys of the configuration that name them. */
    public static String write(Path folder, String name, X509Bundle bundle) {
        return build(() -> {
            Path certificate = folder.resolve(name + ".crt");
            Path key = folder.resolve(name + ".key");
            write(certificate, bundle.getCertificatePathPEM());
            write(key, bundle.getPrivateKeyPEM());
            return "certificate = \"" + certificate + "\", private-key = \"" + key + '"';
        });
    }

    /** Returns a context of clients that trust {@link #AUTHORITY}. */
    public static SSLContext client() {
        return client(new KeyManager[0]);
    }

    /** Returns a context of clients that also have a certificate. */
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
