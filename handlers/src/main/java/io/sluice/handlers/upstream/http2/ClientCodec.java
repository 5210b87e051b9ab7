package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.sluice.handlers.message.Cumulation;
import java.time.Duration;

/** Creates the codec of connections to endpoints from the parts of Netty's. */
public final class ClientCodec {
    /** Unread bytes of a response that this side accepts. */
    static final int WINDOW = 65_535;
    /** Frames without content in 10 s. Connections of clients have the same limit. */
    private static final int MAX_CONTENTLESS = 2000;

    private ClientCodec() {
    }

    /**
     * Creates the handler of a new connection.
     *
     * @param patience the time after which the endpoint is overdue with a sign of life
     */
    public static ClientConnection of(ConnectionEvents home, Duration patience) {
        var connection = new DefaultHttp2Connection(false);
        var distributor = new UniformStreamByteDistributor(connection);
        connection.remote().flowController(new DefaultHttp2RemoteFlowController(connection, distributor));
        var contentless = new FrameLimit(MAX_CONTENTLESS, "frames without content");
        var writer = new DefaultHttp2FrameWriter((name, _) -> RequestFields.isNotReused(name));
        var encoder = new DefaultHttp2ConnectionEncoder(connection,
                new SentFrames(writer, connection, contentless));
        var decoder = new DefaultHttp2ConnectionDecoder(connection, encoder,
                new ResponseFrameReader(connection, contentless));
        var codec = new ClientConnection(home, decoder, encoder, new Http2Settings().pushEnabled(false)
                .initialWindowSize(WINDOW).maxHeaderListSize(ResponseFields.MAX_BYTES), patience);
        codec.setCumulator(Cumulation.CUMULATOR);
        return codec;
    }
}
