package io.sluice.loadtest.experiments.driver;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** What is spoken on the connections of a load. */
@FunctionalInterface
interface Dialect {

    /** Adds what makes a {@link Connection} of a new channel, and tells its home of it. */
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
