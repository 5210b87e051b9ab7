package io.sluice.gateway.http2.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;

/** Reports to each stream how many bytes of its response have been written, and to the connection DATA. */
final class CountingFrameWriter extends DecoratingHttp2FrameWriter {
    private final Http2Connection connection;
    private final Http2Connection.PropertyKey watched;
    private final ClientConduct conduct;

    /**
     * Creates a writer in front of another one.
     *
     * @param watched the key of a stream's {@link WatchedStream}
     */
    CountingFrameWriter(Http2FrameWriter writer, Http2Connection connection,
                        Http2Connection.PropertyKey watched, ClientConduct conduct) {
        super(writer);
        this.conduct = conduct;
        this.connection = connection;
        this.watched = watched;
    }

    @Override
    public ChannelFuture writeData(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                                   boolean endStream, ChannelPromise promise) {
        Http2Stream stream = connection.stream(streamId);
        WatchedStream counting = stream == null ? null : stream.getProperty(watched);
        if (counting != null) {
            counting.sent(data.readableBytes());
        }
        int bytes = data.readableBytes();
        conduct.dataSent(stream != null && bytes > 0 && isBelowWindows(bytes, stream));
        return super.writeData(ctx, streamId, data, padding, endStream, promise);
    }

    /** Returns whether the windows would allow more than these bytes. */
    private boolean isBelowWindows(int bytes, Http2Stream stream) {
        Http2RemoteFlowController windows = connection.remote().flowController();
        return bytes < windows.windowSize(stream)
                && bytes < windows.windowSize(connection.connectionStream());
    }
}
