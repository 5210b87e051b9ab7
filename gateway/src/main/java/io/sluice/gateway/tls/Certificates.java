package io.sluice.gateway.tls;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.config.TlsConfig;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.offload.Guard;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates in use. A separate thread reads their files at an interval and compares the contents with
 * the last ones, which notices changed links, copies and moves alike.
 */
public final class Certificates implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);

    private final TlsConfig config;
    private final List<String> protocols;
    private final TlsObserver observer;
    private final ScheduledThreadPoolExecutor reader = new ScheduledThreadPoolExecutor(1,
            new DefaultThreadFactory("tls-files", true));
    private TlsFiles files;
    /** The identities in {@link #files}. */
    private List<Identity> identities;
    private @Nullable String problem;
    private volatile SslContexts current;
    private boolean stopped;

    private Certificates(TlsConfig config, List<String> protocols, TlsObserver observer) throws TlsException {
        this.config = config;
        this.protocols = protocols;
        this.observer = observer;
        files = TlsFiles.read(config);
        identities = files.identities();
        current = new SslContexts(files, config, protocols);
        log.info("TLS provider: {}", TlsProvider.name(TlsProvider.of(config.provider())));
    }

    /**
     * Checks that the files of a configuration can be used; blocks.
     *
     * @throws TlsException if they cannot be used
     */
    public static void check(TlsConfig config) throws TlsException {
        new SslContexts(TlsFiles.read(config), config, List.of(ApplicationProtocolNames.HTTP_1_1)).release();
    }

    /**
     * Reads the files of a configuration, which must name some; blocks.
     *
     * @param protocols for negotiation, in order of preference (RFC 7301)
     * @throws TlsException if the files cannot be used
     */
    public static Certificates load(TlsConfig config, List<String> protocols, TlsObserver observer)
            throws TlsException {
        var loaded = new Certificates(config, protocols, observer);
        try {
            loaded.reader.prestartCoreThread(); // fails here if none can be started, not in begin()
            return loaded;
        } catch (Throwable e) {
            loaded.close();
            throw e;
        }
    }

    /** Meters the certificates as those in use, and from now on reads the files at the reload interval. */
    public void begin() {
        inUse();
        var guard = new Guard(log, "the files of TLS could not be looked at; this is tried again");
        long interval = config.reloadInterval().toMillis();
        reader.scheduleWithFixedDelay(() -> guard.run(this::reloadIfChanged), interval, interval,
                TimeUnit.MILLISECONDS);
    }

    void reloadIfChanged() {
        try {
            TlsFiles read = TlsFiles.read(config);
            if (!read.equals(files)) {
                replace(new SslContexts(read, config, protocols));
                identities = read.identities();
                files = read;
                report(() -> {
                    inUse();
                    log.info("the certificates have changed: new connections get what is in the files now");
                });
            } else if (problem != null) {
                report(() -> observer.inUse(expiry(identities)));
            }
            problem = null;
        } catch (Throwable e) {
            report(() -> refused(String.valueOf(e instanceof TlsException ? e.getMessage() : e)));
        }
    }

    /** Reports on the files, unless a file system has answered too late: others may be in use by now. */
    private synchronized void report(Runnable report) {
        if (!stopped) {
            report.run();
        }
    }

    private void inUse() {
        observer.inUse(expiry(identities));
        identities.stream().filter(identity -> identity.expiry().isBefore(Instant.now())).forEach(identity ->
                log.warn("the certificate for {} has expired on {}", identity.names(), identity.expiry()));
    }

    private void refused(String reason) {
        if (!reason.equals(problem)) {
            problem = reason;
            log.error("{}; what was read before stays in use", problem);
        }
        observer.refused();
    }

    private synchronized void replace(SslContexts contexts) {
        SslContexts former = stopped ? contexts : current;
        current = stopped ? current : contexts;
        former.release();
    }

    private static Instant expiry(List<Identity> identities) {
        return identities.stream().map(Identity::expiry).min(Comparator.naturalOrder()).orElseThrow();
    }

    /**
     * Creates the handler that secures a new connection. On its event loop. OpenSSL gets direct memory also
     * while that is short, as it can use no other.
     *
     * @param serverName the name that the client requests, in lower case; null if there is none
     */
    SslHandler newHandler(String serverName) {
        while (true) {
            SslContexts contexts = current;
            try {
                return contexts.of(serverName).newHandler(DirectMemory.FOR_NATIVE_CODE);
            } catch (IllegalReferenceCountException e) {
                if (contexts == current) {
                    throw e;
                }
                // The contexts were replaced at this moment.
            }
        }
    }

    /** Stops reading the files. Handshakes under way can still use what was read. */
    public synchronized void stopReading() {
        stopped = true;
        reader.shutdownNow();
    }

    /**
     * Stops reading the files and releases the certificates. To be called when there are no new connections
     * any more. Does not wait for a file system that has stopped answering.
     */
    @Override
    public synchronized void close() {
        stopReading();
        current.release();
    }
}
