package io.sluice.gateway.tls;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.TlsConfig;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.http1.PlainHttpRefusal;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import java.util.List;
import java.util.SequencedMap;

/**
 * TLS, and what has been agreed on within it.
 *
 * <pre>
 *   bytes
 *     |  ClientHelloReader   whom the client asks for; becomes an SslHandler
 *     |  CloseNotify         how it ends
 *     |  TlsHandshake        until it is done; becomes what was agreed on, and before that
 *     |                      NoRenegotiation or LateErrors, where it is needed
 *   what was agreed on
 * </pre>
 */
public final class TlsProtocol implements Protocol, AutoCloseable {
    private final TlsConfig config;
    private final Connections connections;
    private final SequencedMap<String, Protocol> protocols;
    private final PlainHttpRefusal refusal;
    private final TlsMeter meter;
    private final Certificates certificates;

    /**
     * Reads the certificates, and goes on doing so; blocks.
     *
     * @param http what clients may agree on
     * @throws TlsException where there are no certificates that can be used
     */
    public TlsProtocol(TlsConfig config, Connections connections, HttpProtocols http, TlsMeter meter)
            throws TlsException {
        this.config = config;
        this.connections = connections;
        protocols = http.byName();
        refusal = http.refusal();
        this.meter = meter;
        certificates = Certificates.load(config, List.copyOf(protocols.keySet()), meter);
    }

    @Override
    public void addTo(ChannelPipeline pipeline, ConnectionWatch watch) {
        Ticker clock = pipeline.channel().eventLoop().ticker();
        var handshake = new TlsHandshake(this, watch, clock);
        pipeline.addLast(new ClientHelloReader(this, handshake, clock))
                .addLast(new CloseNotify())
                .addLast(handshake);
    }

    TlsConfig config() {
        return config;
    }

    Connections connections() {
        return connections;
    }

    Certificates certificates() {
        return certificates;
    }

    PlainHttpRefusal refusal() {
        return refusal;
    }

    TlsMeter meter() {
        return meter;
    }

    /** Whether one of these is spoken here. */
    boolean speaksOneOf(List<String> offered) {
        return offered.stream().anyMatch(protocols::containsKey);
    }

    /**
     * What was agreed on.
     *
     * @param name null where the client did not say what it speaks, as those of HTTP/2 have to (RFC 9113
     *     section 3.2)
     */
    Protocol agreed(String name) {
        return protocols.get(name == null ? ApplicationProtocolNames.HTTP_1_1 : name);
    }

    /** Once no more connections come. */
    @Override
    public void close() {
        certificates.close();
    }
}
