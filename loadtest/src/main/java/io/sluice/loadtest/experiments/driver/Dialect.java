package io.sluice.loadtest.experiments.driver;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import javax.net.ssl.SSLException;

/** The protocol of a load's connections. */
@FunctionalInterface
interface Dialect {

    /**
     * Adds the handlers that make a new channel a {@link Connection}, which they register with its {@link
     * Connections}.
     */
    void install(ChannelPipeline pipeline, Connections home);

    static Dialect http() {
        var decoding = new HttpDecoderConfig().setValidateHeaders(false);
        return (pipeline, home) -> pipeline.addLast(
                new HttpResponseDecoder(decoding), new HttpConnection(home));
    }

    /** HTTP/1.1 over TLS, with any certificate. */
    static Dialect https() {
        var http = http();
        var tls = clientTls();
        return (pipeline, home) -> {
            pipeline.addLast(tls.newHandler(pipeline.channel().alloc()));
            http.install(pipeline, home);
        };
    }

    private static SslContext clientTls() {
        try {
            return SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null).build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS in this JVM", e);
        }
    }

    static Dialect webSocket(String path) {
        var handshake = Frames.handshake(path);
        return (pipeline, home) -> pipeline.addLast(
                new ClientSocket(handshake, new WebSocketConnection(home)));
    }
}
