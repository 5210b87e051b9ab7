package io.sluice.loadtest.experiments.driver;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;

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

    static Dialect webSocket(String path) {
        var handshake = Frames.handshake(path);
        return (pipeline, home) -> pipeline.addLast(
                new ClientSocket(handshake, new WebSocketConnection(home)));
    }
}
