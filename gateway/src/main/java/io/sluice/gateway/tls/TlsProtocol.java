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
import org.jspecify.annotations.Nullable;

/**
 * TLS, and the protocol that is negotiated within it. The pipeline of a connection:
 *
 * <pre>
 *   bytes
 *     |  ClientHelloReader   reads the server name; replaced by an SslHandler, and EmptyRecordLimit in front
 *     |                      of that of the JDK
 *     |  CloseNotify         handles the end of TLS
 *     |  TlsHandshake        waits for the end of the handshake; replaced by the negotiated protocol, in
 *     |                      front of which it adds NoRenegotiation or BoringSslErrorFlush if that is needed
 *   negotiated protocol
 * </pre>
 */
public final class TlsProtocol implements Protocol {
    private final TlsConfig config;
    private final Connections connections;
    private final SequencedMap<String, Protocol> protocols;
    private final PlainHttpRefusal refusal;
    private final TlsObserver observer;
    private final Certificates certificates;

    /**
     * TLS with these certificates, which remain the caller's.
     *
     * @param http the protocols that clients may negotiate
     */
    public TlsProtocol(TlsConfig config, Certificates certificates, Connections connections,
                       HttpProtocols http, TlsObserver observer) {
        this.config = config;
        this.certificates = certificates;
        this.connections = connections;
        protocols = http.byName();
        refusal = http.refusal();
        this.observer = observer;
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

    TlsObserver observer() {
        return observer;
    }

    /** Returns whether one of the offered protocols is supported. */
    boolean speaksOneOf(List<String> offered) {
        return offered.stream().anyMatch(protocols::containsKey);
    }

    /**
     * The negotiated protocol.
     *
     * @param name null if the client offered none; it speaks HTTP/1.1 then, as clients of HTTP/2 have to
     *     offer it (RFC 9113 section 3.2)
     */
    Protocol agreed(@Nullable String name) {
        Protocol agreed = protocols.get(name == null ? ApplicationProtocolNames.HTTP_1_1 : name);
        if (agreed == null) {
            throw new IllegalStateException(name + ": not offered (expected: one of "
                    + protocols.keySet() + ')');
        }
        return agreed;
    }
}
