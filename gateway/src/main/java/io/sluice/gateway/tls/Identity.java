package io.sluice.gateway.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An identity of the gateway: a certificate, its chain, and its private key.
 *
 * @param chain the gateway's own certificate first
 */
record Identity(List<X509Certificate> chain, PrivateKey key) {
    /** The kind of a DNS name among the alternative names (RFC 5280 section 4.2.1.6). */
    private static final Integer DNS_NAME = 2;

    /**
     * Reads an identity from its files.
     *
     * @throws TlsException if a file is invalid, or the key does not belong to the certificate
     */
    static Identity of(PemFile certificate, PemFile privateKey) throws TlsException {
        var identity = new Identity(certificate.certificates(), privateKey.privateKey());
        if (!fits(identity.key(), identity.certificate().getPublicKey())) {
            throw privateKey.problem("not the key of the first certificate in " + certificate.path(),
                    "the key that belongs to it");
        }
        return identity;
    }

    private static boolean fits(PrivateKey key, PublicKey other) {
        byte[] text = {1, 2, 3};
        String algorithm = "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(other);
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    /** Returns the time at which the certificate expires. */
    Instant expiry() {
        return certificate().getNotAfter().toInstant();
    }

    /**
     * The DNS names that the certificate is valid for, in lower case, including wildcards such as {@code
     * *.example.com}.
     */
    Set<String> names() {
        var names = new LinkedHashSet<String>();
        try {
            Collection<List<?>> all = certificate().getSubjectAlternativeNames();
            for (List<?> name : all == null ? List.<List<?>>of() : all) {
                if (name.getFirst().equals(DNS_NAME)) {
                    names.add(name.get(1).toString().toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            return Set.of(); // malformed names match no client's request
        }
        return names;
    }
}
