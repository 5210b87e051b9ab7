package io.sluice.gateway.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProtocols;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.TlsConfig;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The TLS contexts of new connections, by the server names that clients request. Those of BoringSSL are
 * reference counted: each connection holds a reference, and this object another.
 */
final class SslContexts {
    /**
     * The cipher suites with forward secrecy and authenticated encryption, which are the ones that HTTP/2
     * allows.
     */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    /** The groups of Mozilla's intermediate profile. A JDK that lacks the first one ignores it. */
    private static final String[] GROUPS = {"X25519MLKEM768", "x25519", "secp256r1", "secp384r1"};
    /**
     * The time for which a client may resume a session, by ticket or by session id. BoringSSL has its own for
     * TLS 1.3, which tcnative cannot set: 2 days, and up to 7 if the client resumes again and again.
     */
    private static final Duration SESSION = Duration.ofHours(1);

    /**
     * The type of the key store in which Netty hands a key on, in memory. Its default, PKCS #12, derives an
     * encryption key by 10,000 rounds of PBKDF2, twice for each certificate.
     */
    static final String KEY_STORE = "JKS";

    private final List<SslContext> all = new ArrayList<>();
    private final Map<String, SslContext> byName = new HashMap<>();

    /**
     * Creates the contexts from files; blocks.
     *
     * @param protocols for negotiation, in order of preference (RFC 7301)
     * @throws TlsException if the files cannot be used
     */
    SslContexts(TlsFiles files, TlsConfig config, List<String> protocols) throws TlsException {
        SslProvider provider = TlsProvider.of(config.provider());
        List<Identity> identities = files.identities();
        List<X509Certificate> vouching = files.vouching();
        try {
            for (Identity identity : identities) {
                SslContext context = context(identity, provider, config, vouching, protocols);
                all.add(context);
                identity.names().forEach(name -> byName.putIfAbsent(name, context));
            }
        } catch (Error e) { // as in a shortage of memory
            release();
            throw e;
        } catch (SSLException | RuntimeException e) {
            release();
            throw new TlsException("sluice.tls: these files cannot be used: " + rootCause(e), e);
        }
    }

    private static SslContext context(Identity identity, SslProvider provider, TlsConfig config,
                                      List<X509Certificate> vouching, List<String> protocols)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder
                .forServer(identity.key(), identity.chain().toArray(X509Certificate[]::new))
                .keyStoreType(KEY_STORE)
                .sslProvider(provider)
                .protocols(SslProtocols.TLS_v1_3, SslProtocols.TLS_v1_2)
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
                        protocols))
                .sessionTimeout(SESSION.toSeconds())
                .clientAuth(switch (config.clientCertificates()) {
                    case NONE -> ClientAuth.NONE;
                    case OPTIONAL -> ClientAuth.OPTIONAL;
                    case REQUIRED -> ClientAuth.REQUIRE;
                });
        if (!vouching.isEmpty()) {
            builder.trustManager(ChainLimit.trusting(vouching));
        }
        if (provider != SslProvider.JDK) {
            builder.option(OpenSslContextOption.GROUPS, GROUPS);
        }
        SslContext context = builder.build();
        if (context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setTicketKeys(); // the context's own keys, which it rotates itself; for TLS 1.2 too
        }
        return provider == SslProvider.JDK ? new WithGroups(context) : context;
    }

    /** Sets the groups on each engine: contexts of the JDK have no such setting. */
    private static final class WithGroups extends DelegatingSslContext {
        WithGroups(SslContext context) {
            super(context);
        }

        @Override
        protected void initEngine(SSLEngine engine) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setNamedGroups(GROUPS);
            engine.setSSLParameters(parameters);
        }
    }

    private static @Nullable String rootCause(Throwable e) {
        return e.getCause() == null ? e.getMessage() : rootCause(e.getCause());
    }

    /**
     * The context for a server name; the first one if no certificate has that name.
     *
     * @param serverName in lower case; null if the client requested none
     */
    SslContext of(String serverName) {
        if (serverName == null) {
            return all.getFirst();
        }
        // A dot at the end does not change a name; RFC 6066 section 3 forbids it, but some clients send it.
        String name = serverName.endsWith(".")
                ? serverName.substring(0, serverName.length() - 1) : serverName;
        SslContext exact = byName.get(name);
        if (exact != null) {
            return exact;
        }
        int dot = name.indexOf('.');
        return dot <= 0 ? all.getFirst() : byName.getOrDefault('*' + name.substring(dot), all.getFirst());
    }

    /** Releases the contexts; each lives until its last connection is closed. */
    void release() {
        all.forEach(ReferenceCountUtil::release);
    }
}
