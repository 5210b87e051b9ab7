package io.sluice.gateway.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's verification of a peer's certificates, with a limit. The JDK tries all paths through a chain
 * before it checks a signature: with ten certificates of one name and different keys, it would try a million,
 * on the event loop. Chains with cross-signed authorities, which are named twice, are accepted.
 */
final class ChainLimit extends X509ExtendedTrustManager {
    private static final int MAX_OF_ONE_NAME = 2;
    /** The longest chain that BoringSSL hands on. */
    private static final int MAX_LENGTH = 10;

    private static final Set<Reason> RECOGNISED =
            Set.of(BasicReason.EXPIRED, BasicReason.NOT_YET_VALID, BasicReason.REVOKED);
    /** X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY. */
    private static final int UNKNOWN_ISSUER = 20;
    /** X509_V_ERR_CERT_REJECTED. */
    private static final int REJECTED = 28;

    private final X509ExtendedTrustManager trust;

    private ChainLimit(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    /**
     * Returns a trust manager.
     *
     * @param authorities the trusted ones; null for those of the JDK
     */
    static X509ExtendedTrustManager trusting(@Nullable List<X509Certificate> authorities)
            throws SSLException {
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : store(authorities));
            return Stream.of(factory.getTrustManagers()).filter(X509ExtendedTrustManager.class::isInstance)
                    .map(manager -> new ChainLimit((X509ExtendedTrustManager) manager))
                    .findFirst().orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new SSLException("the authorities cannot be used", e);
        }
    }

    private static KeyStore store(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate authority : authorities) {
            store.setCertificateEntry(Integer.toString(store.size()), authority);
        }
        return store;
    }

    private static void requireSimple(X509Certificate[] chain) throws CertificateException {
        Map<X500Principal, Integer> names = new HashMap<>();
        for (X509Certificate certificate : chain) {
            if (names.merge(certificate.getSubjectX500Principal(), 1, Integer::sum) > MAX_OF_ONE_NAME) {
                throw new CertificateException("more than two certificates of one name in a chain");
            }
        }
        if (chain.length > MAX_LENGTH) {
            throw new CertificateException("more than ten certificates in a chain");
        }
    }

    /**
     * Names the cause, by which BoringSSL selects its alert (RFC 8446 section 6.2): unknown_ca or
     * bad_certificate. Netty recognises only the times of validity and revocations; for anything else the
     * alert would be internal_error.
     */
    private static CertificateException withAlert(CertificateException refusal) {
        List<Throwable> causes = Stream.iterate((Throwable) refusal, Objects::nonNull, Throwable::getCause)
                .toList();
        if (causes.stream().anyMatch(cause -> cause instanceof CertPathValidatorException invalid
                && RECOGNISED.contains(invalid.getReason()))) {
            return refusal;
        }
        boolean isUnknown = causes.stream().anyMatch(CertPathBuilderException.class::isInstance);
        return new OpenSslCertificateException(refusal.getMessage(), refusal,
                isUnknown ? UNKNOWN_ISSUER : REJECTED);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            requireSimple(chain);
            trust.checkClientTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw engine instanceof ReferenceCountedOpenSslEngine ? withAlert(e) : e;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            requireSimple(chain);
            trust.checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw engine instanceof ReferenceCountedOpenSslEngine ? withAlert(e) : e;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        requireSimple(chain);
        trust.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        requireSimple(chain);
        trust.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        requireSimple(chain);
        trust.checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        requireSimple(chain);
        trust.checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
