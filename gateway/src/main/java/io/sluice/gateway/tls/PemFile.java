package io.sluice.gateway.tls;

import io.sluice.config.type.ReadableFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The contents of a file with certificates or keys (RFC 7468). Text around them is ignored. Two files are
 * equal if they have the same setting, path and text.
 *
 * @param key of the file in the configuration, for error messages
 */
record PemFile(String key, Path path, String text) {
    private static final int MAX_BYTES = 1 << 20;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private record Block(String label, String body) {
    }

    /** Reads a file; blocks. */
    static PemFile read(String key, ReadableFile file) throws TlsException {
        try (InputStream in = Files.newInputStream(file.path())) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new TlsException("%s: %s: longer than 1 MiB (expected: at most that)"
                        .formatted(key, file));
            }
            return new PemFile(key, file.path(), new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new TlsException("%s: %s: %s (expected: a file that can be read)"
                    .formatted(key, file, e.getClass().getSimpleName()), e);
        }
    }

    /**
     * The certificates in the file.
     *
     * @throws TlsException if there is none or one is malformed
     */
    List<X509Certificate> certificates() throws TlsException {
        var certificates = new ArrayList<X509Certificate>();
        for (Block block : blocks("CERTIFICATE")) {
            try {
                certificates.add((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der(block))));
            } catch (CertificateException e) {
                throw problem("certificate " + (certificates.size() + 1) + " is damaged", "X.509");
            }
        }
        if (certificates.isEmpty()) {
            throw problem("no certificate in it", "PEM, -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /**
     * The first private key in the file.
     *
     * @throws TlsException if there is none, or it is encrypted or not supported
     */
    PrivateKey privateKey() throws TlsException {
        List<Block> keys = blocks("PRIVATE KEY");
        if (keys.isEmpty()) {
            throw problem("no private key in it", "PEM, -----BEGIN PRIVATE KEY-----");
        }
        Block block = keys.getFirst();
        if (block.label().startsWith("ENCRYPTED") || block.body().contains("ENCRYPTED")) {
            throw problem("a key with a passphrase", "one without: openssl pkey -in KEY -out NEW");
        }
        byte[] der = der(block);
        PrivateKey key = switch (block.label()) {
            case "PRIVATE KEY" -> Pkcs8.key(der);
            case "RSA PRIVATE KEY" -> Pkcs8.key(Pkcs8.ofRsa(der));
            case "EC PRIVATE KEY" -> Pkcs8.key(Pkcs8.ofEc(der));
            default -> null;
        };
        if (key == null) {
            throw problem("no key that can be used", "an RSA key or an EC key on a named curve");
        }
        return key;
    }

    private List<Block> blocks(String label) {
        var blocks = new ArrayList<Block>();
        for (int at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
            int name = at + BEGIN.length();
            int body = text.indexOf(DASHES, name);
            int end = text.indexOf(END, name);
            if (body >= 0 && end > body && text.substring(name, body).endsWith(label)) {
                blocks.add(new Block(
                        text.substring(name, body), text.substring(body + DASHES.length(), end)));
            }
        }
        return blocks;
    }

    private byte[] der(Block block) throws TlsException {
        try {
            return Base64.getDecoder().decode(block.body().replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw problem("what follows -----BEGIN " + block.label() + "----- is damaged", "Base64");
        }
    }

    /** Returns an error message that names this file. */
    TlsException problem(String what, String expected) {
        return new TlsException("%s: %s: %s (expected: %s)".formatted(key, path, what, expected));
    }

    /** Omits the text, which may be a key. */
    @Override
    public String toString() {
        return key + ": " + path;
    }
}
