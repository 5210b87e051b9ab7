package io.sluice.gateway.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.sluice.config.TlsConfig.Provider;

/** Selects the implementation of TLS: BoringSSL if it loads, or the JDK's. */
final class TlsProvider {

    private TlsProvider() {
    }

    static SslProvider of(Provider configured) throws TlsException {
        boolean openSsl = configured != Provider.JDK && OpenSsl.isAvailable();
        if (configured == Provider.OPENSSL && !openSsl) {
            throw new TlsException(
                    "sluice.tls.provider: openssl: it does not load: %s (expected: auto or jdk)"
                    .formatted(OpenSsl.unavailabilityCause()), OpenSsl.unavailabilityCause());
        }
        return openSsl ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }

    static String name(SslProvider provider) {
        return provider == SslProvider.JDK ? "the JDK" : OpenSsl.versionString();
    }
}
