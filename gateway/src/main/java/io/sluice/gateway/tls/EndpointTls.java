package io.sluice.gateway.tls;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProtocols;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.config.TlsConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.upstream.UpstreamTlsConfig;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.upstream.connect.UpstreamTls;
import io.sluice.offload.Guard;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of the connections to one upstream's endpoints. If it has files, a thread of its own reads them at an
 * interval; new connections use what is in them, and those before end with their requests.
 */
public final class EndpointTls implements UpstreamTls, AutoCloseable {
    /** Sessions that are kept for resumption. An endpoint may send any number of them, of 16 KiB each. */
    private static final int SESSIONS = 256;

    private static final Logger log = LoggerFactory.getLogger(EndpointTls.class);
    private static final ApplicationProtocolConfig HTTP_2_OR_1 =
            offering(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
    private static final ApplicationProtocolConfig HTTP_1 = offering(ApplicationProtocolNames.HTTP_1_1);

    private final String key;
    private final UpstreamConfig config;
    private final SslProvider provider;
    /** Null without files. */
    private final @Nullable ScheduledExecutorService reader;
    private @Nullable Contents contents;
    private @Nullable String problem;
    /** Null without https endpoints. */
    private volatile @Nullable Contexts current;
    private volatile Runnable changed = () -> { };
    private boolean closed;

    /**
     * The contexts of new connections.
     *
     * @param ofHttp1 offers no other protocol; the same one unless the protocol is negotiated
     */
    private record Contexts(SslContext all, SslContext ofHttp1) {

        void release() {
            ReferenceCountUtil.release(all);
            if (ofHttp1 != all) {
                ReferenceCountUtil.release(ofHttp1);
            }
        }
    }

    /** The contents of the files; equal ones result in an equal context. */
    private record Contents(Optional<PemFile> authorities, Optional<TlsFiles.Pair> identity) {

        static Contents read(String key, UpstreamTlsConfig files) throws TlsException {
            return new Contents(
                    files.ca().isEmpty() ? Optional.empty()
                            : Optional.of(PemFile.read(key + ".ca", files.ca().get())),
                    files.certificate().isEmpty() ? Optional.empty() : Optional.of(new TlsFiles.Pair(
                            PemFile.read(key + ".certificate", files.certificate().get()),
                            PemFile.read(key + ".private-key", files.privateKey().orElseThrow()))));
        }
    }

    /**
     * Reads the files of an upstream, and from then on reads them at the listener's interval; blocks for the
     * first time.
     *
     * @throws TlsException if a file cannot be used
     */
    public EndpointTls(String upstream, UpstreamConfig config, TlsConfig listener) throws TlsException {
        key = ConfigProblems.child("sluice.upstreams", upstream) + ".tls";
        this.config = config;
        provider = TlsProvider.of(listener.provider());
        if (config.isSecure()) {
            use(Contents.read(key, config.tls()));
        }
        boolean hasFiles = config.tls().ca().isPresent() || config.tls().certificate().isPresent();
        reader = !config.isSecure() || !hasFiles ? null : Executors.newSingleThreadScheduledExecutor(
                new DefaultThreadFactory("upstream-tls-files", true));
        try {
            startReading(listener.reloadInterval().toMillis());
        } catch (Throwable e) { // no thread can be started
            close();
            throw e;
        }
    }

    private void startReading(long interval) {
        if (reader != null) {
            var guard = new Guard(log, key + ": its files could not be read; this is tried again");
            reader.scheduleWithFixedDelay(() -> guard.run(this::reloadIfChanged), interval, interval,
                    TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Checks that files, if there are any, can be used by the driver of a bus, which reads them for each
     * connection; blocks.
     *
     * @param key the section with their keys
     * @throws TlsException if one cannot be used
     */
    public static void check(String key, UpstreamTlsConfig files) throws TlsException {
        Contents read = Contents.read(key, files);
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK)
                    .keyStoreType(SslContexts.KEY_STORE);
            if (read.authorities().isPresent()) {
                builder.trustManager(read.authorities().get().certificates());
            }
            if (read.identity().isPresent()) {
                read.identity().get().identity();
                builder.keyManager(files.certificate().orElseThrow().path().toFile(),
                        files.privateKey().orElseThrow().path().toFile());
            }
            builder.build();
        } catch (SSLException | RuntimeException e) {
            throw unusable(key, e);
        }
    }

    private void reloadIfChanged() {
        try {
            Contents read = Contents.read(key, config.tls());
            if (!read.equals(contents)) {
                use(read);
                changed.run();
                log.info("{}: the files have changed; new connections use them, and those before are closed "
                        + "when their requests have ended", key);
            }
            problem = null;
        } catch (TlsException e) {
            if (!Objects.equals(e.getMessage(), problem)) {
                problem = e.getMessage();
                log.error("{}; what was read before stays in use", problem);
            }
        }
    }

    private void use(Contents read) throws TlsException {
        if (config.protocol() == UpstreamConfig.Protocol.AUTO) {
            replace(negotiating(read));
        } else {
            SslContext only = context(read, ApplicationProtocolConfig.DISABLED);
            replace(new Contexts(only, only));
        }
        contents = read;
    }

    private Contexts negotiating(Contents read) throws TlsException {
        SslContext all = context(read, HTTP_2_OR_1);
        try {
            return new Contexts(all, context(read, HTTP_1));
        } catch (TlsException | Error e) {
            ReferenceCountUtil.release(all);
            throw e;
        }
    }

    private synchronized void replace(Contexts next) {
        Contexts former = closed ? next : current;
        current = closed ? current : next;
        if (former != null) {
            former.release();
        }
    }

    private static ApplicationProtocolConfig offering(String... protocols) {
        return new ApplicationProtocolConfig(Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT, protocols);
    }

    private SslContext context(Contents read, ApplicationProtocolConfig protocols) throws TlsException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(provider)
                    .keyStoreType(SslContexts.KEY_STORE)
                    .protocols(SslProtocols.TLS_v1_3, SslProtocols.TLS_v1_2)
                    .sessionCacheSize(SESSIONS)
                    .endpointIdentificationAlgorithm("HTTPS")
                    .applicationProtocolConfig(protocols);
            builder.trustManager(ChainLimit.trusting(
                    read.authorities().isPresent() ? read.authorities().get().certificates() : null));
            if (read.identity().isPresent()) {
                Identity identity = read.identity().get().identity();
                builder.keyManager(identity.key(), identity.chain().toArray(X509Certificate[]::new));
            }
            return builder.build();
        } catch (SSLException | RuntimeException e) {
            throw unusable(key, e);
        }
    }

    private static TlsException unusable(String key, Exception cause) {
        return new TlsException(key + ": these files cannot be used: " + cause, cause);
    }

    @Override
    public SslHandler newHandler(String host, int port) {
        return newHandler(Contexts::all, host, port);
    }

    @Override
    public void addTo(ChannelPipeline pipeline, SslHandler handler) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine) {
            pipeline.addFirst(handler);
        } else {
            pipeline.addFirst(new EmptyRecordLimit(), handler, new JdkLimits(handler.engine()));
        }
    }

    @Override
    public SslHandler newHttp1Handler(String host, int port) {
        return newHandler(Contexts::ofHttp1, host, port);
    }

    private SslHandler newHandler(Function<Contexts, SslContext> choice, String host, int port) {
        String name = config.tls().serverName().orElse(host);
        while (true) {
            Contexts contexts = Objects.requireNonNull(current, "an https endpoint");
            try {
                return choice.apply(contexts).newHandler(DirectMemory.FOR_NATIVE_CODE, name, port);
            } catch (IllegalReferenceCountException e) {
                if (contexts == current) {
                    throw e;
                }
                // The contexts were replaced at this moment.
            }
        }
    }

    @Override
    public void onChange(Runnable action) {
        changed = action;
    }

    /**
     * Stops reading the files; there are no new connections any more. Does not wait for a file system that
     * has stopped answering.
     */
    @Override
    public synchronized void close() {
        closed = true;
        if (reader != null) {
            reader.shutdownNow();
        }
        if (current != null) {
            current.release();
        }
    }
}
