package io.sluice.gateway.tls;

import io.sluice.config.CertificateConfig;
import io.sluice.config.TlsConfig;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The contents of the files that TLS is configured with; equal contents result in equal contexts.
 *
 * @param certificates the default one first
 * @param authorities the certificate authorities that are trusted for clients
 */
record TlsFiles(List<Pair> certificates, Optional<PemFile> authorities) {
    private static final String KEY = "sluice.tls.";

    /** A certificate and its key. */
    record Pair(PemFile certificate, PemFile privateKey) {
        Identity identity() throws TlsException {
            return Identity.of(certificate, privateKey);
        }
    }

    /** Reads the files of a configuration, which must name some; blocks. */
    static TlsFiles read(TlsConfig config) throws TlsException {
        var pairs = new ArrayList<Pair>();
        pairs.add(new Pair(PemFile.read(KEY + "certificate", config.certificate().orElseThrow()),
                PemFile.read(KEY + "private-key", config.privateKey().orElseThrow())));
        for (CertificateConfig more : config.certificates().orElse(Set.of())) {
            String key = KEY + "certificates." + (pairs.size() - 1);
            pairs.add(new Pair(PemFile.read(key + ".certificate", more.certificate()),
                    PemFile.read(key + ".private-key", more.privateKey())));
        }
        return new TlsFiles(pairs, config.clientAuthorities().isEmpty() ? Optional.empty()
                : Optional.of(PemFile.read(KEY + "client-authorities", config.clientAuthorities().get())));
    }

    /**
     * The identities of the gateway, the default one first.
     *
     * @throws TlsException if a file is invalid, or a certificate other than the default one has no DNS name
     */
    List<Identity> identities() throws TlsException {
        var identities = new ArrayList<Identity>();
        for (Pair pair : certificates) {
            Identity identity = pair.identity();
            if (!identities.isEmpty() && identity.names().isEmpty()) {
                throw pair.certificate().problem("no client can ask for it",
                        "a certificate with a DNS name as subjectAltName");
            }
            identities.add(identity);
        }
        return identities;
    }

    /** Returns the trusted authorities of client certificates; empty if none are configured. */
    List<X509Certificate> vouching() throws TlsException {
        return authorities.isEmpty() ? List.of() : authorities.get().certificates();
    }
}
